/* SPDX-License-Identifier: BSD-2-Clause */
/* latency_text.h - figures of a table of latencies. Pure. */
#ifndef APPS_PORTABLE_LATENCY_TEXT_H
#define APPS_PORTABLE_LATENCY_TEXT_H

#include <stddef.h>
#include <stdint.h>

/* latency_hundredths() - `sum` / `times` in hundredths, rounded half away from 0, so that
 * comparisons see the printed value. latency_format() - prints hundredths as a number. */
int64_t latency_hundredths(int64_t sum, uint64_t times);
void latency_format(char *text, size_t size, int64_t hundredths);

/* The count of one event of ports. */
struct latency_port {
	const char *name; /* "p0", "p23" */
	int64_t sum;
};

/* latency_ports() - prints "0.50*p0+0.50*p1": the used ones of `n` ports, with the mean use by each
 * of `times` instructions; "none" where no port was used, "-" without events. */
void latency_ports(char *text, size_t size, const struct latency_port *ports, unsigned n,
		   uint64_t times);

#endif
