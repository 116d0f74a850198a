// SPDX-License-Identifier: BSD-2-Clause
/* latency_text.c - see latency_text.h. */
#include "apps/portable/latency_text.h"

#include "lib/printf.h"
#include "lib/string.h"

#define DIGITS 2
#define NUMBER 24

int64_t latency_hundredths(int64_t sum, uint64_t times)
{
	const uint64_t all = 100 * (uint64_t)(sum < 0 ? -sum : sum);
	const int64_t rounded = (int64_t)((all + times / 2) / times);

	return sum < 0 ? -rounded : rounded;
}

void latency_format(char *text, size_t size, int64_t hundredths)
{
	char number[NUMBER];

	fmt_ratio(number, sizeof(number), (uint64_t)(hundredths < 0 ? -hundredths : hundredths),
		  100, DIGITS);
	fmt_print(text, size, "%s%s", hundredths < 0 ? "-" : "", number);
}

void latency_ports(char *text, size_t size, const struct latency_port *ports, unsigned n,
		   uint64_t times)
{
	size_t at = 0;

	fmt_print(text, size, n ? "none" : "-");
	for (unsigned i = 0; i < n; i++) {
		const int64_t used = latency_hundredths(ports[i].sum, times);
		char number[NUMBER];

		if (used <= 0)
			continue;
		latency_format(number, sizeof(number), used);
		fmt_print(text + at, size - at, "%s%s*%s", at ? "+" : "", number, ports[i].name);
		at += strlen(text + at);
	}
}
