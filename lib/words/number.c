// SPDX-License-Identifier: BSD-2-Clause
/* number.c - see number.h. Every multiplication is checked for overflow. */
#include "lib/words/number.h"

#include "lib/string.h"

#include <linux/errno.h>

#include <stdbool.h>
#include <stddef.h>

static int digit_value(char c, unsigned base)
{
	unsigned d = 99;

	if (c >= '0' && c <= '9')
		d = (unsigned)(c - '0');
	else if (c >= 'a' && c <= 'f')
		d = (unsigned)(c - 'a') + 10;
	else if (c >= 'A' && c <= 'F')
		d = (unsigned)(c - 'A') + 10;
	return d < base ? (int)d : -1;
}

/* value * factor + add, or -ERANGE. */
static int scale_and_add(uint64_t *value, uint64_t factor, uint64_t add)
{
	return __builtin_mul_overflow(*value, factor, value) ||
			       __builtin_add_overflow(*value, add, value)
		       ? -ERANGE
		       : 0;
}

static int read_digits(const char **text, unsigned base, uint64_t *value)
{
	const char *p = *text;
	int d;

	for (*value = 0; (d = digit_value(*p, base)) >= 0; p++)
		if (scale_and_add(value, base, (uint64_t)d))
			return -ERANGE;
	if (p == *text)
		return -EINVAL;
	*text = p;
	return 0;
}

int number_parse(const char *text, uint64_t *value)
{
	bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
	uint64_t factor = 1;
	int err;

	text += hex ? 2 : 0;
	err = read_digits(&text, hex ? 16 : 10, value);
	if (err)
		return err;
	switch (*text) {
	case 'k':
		factor = 1000;
		break;
	case 'M':
		factor = 1000000;
		break;
	case 'G':
		factor = 1000000000;
		break;
	}
	if (factor > 1)
		text++;
	return *text ? -EINVAL : scale_and_add(value, factor, 0);
}

int number_seconds(const char *text, uint64_t *ns)
{
	uint64_t unit = 1000000000;
	int err = read_digits(&text, 10, ns);

	if (err)
		return err;
	err = scale_and_add(ns, unit, 0);
	if (err || !*text)
		return err;
	if (*text++ != '.' || !*text)
		return -EINVAL;
	for (; *text && unit > 1; text++) {
		int d = digit_value(*text, 10);

		if (d < 0)
			return -EINVAL;
		unit /= 10;
		if (scale_and_add(ns, 1, (uint64_t)d * unit))
			return -ERANGE;
	}
	return *text ? -EINVAL : 0;
}

#define PAGE 4096

static int round_up(uint64_t n, uint64_t *power)
{
	for (*power = 1; *power < n; *power *= 2)
		if (*power >> 63)
			return -ERANGE;
	return n ? 0 : -ERANGE;
}

int number_pages(const char *text, uint64_t *pages)
{
	static const struct {
		char tag;
		uint64_t bytes;
	} units[] = {{'\0', PAGE}, {'B', 1}, {'K', 1 << 10}, {'M', 1 << 20}, {'G', 1 << 30}};
	uint64_t n;
	int err = read_digits(&text, 10, &n);

	for (size_t i = 0; !err && i < sizeof(units) / sizeof(units[0]); i++) {
		if (*text != units[i].tag)
			continue;
		if (*text && text[1])
			return -EINVAL;
		err = scale_and_add(&n, units[i].bytes, PAGE - 1);
		return err ? err : round_up(n / PAGE, pages);
	}
	return err ? err : -EINVAL;
}

#define RANGE_END_MOST 24

int number_range(const char *text, uint64_t *from, uint64_t *to)
{
	const char *dash = strchr(text, '-');
	const size_t n = dash ? (size_t)(dash - text) : 0;
	char first[RANGE_END_MOST];

	if (!dash || n >= sizeof(first))
		return -EINVAL;
	memcpy(first, text, n);
	first[n] = '\0';
	if (number_parse(first, from) || number_parse(dash + 1, to))
		return -EINVAL;
	return *to < *from ? -ERANGE : 0;
}
