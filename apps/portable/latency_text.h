/* SPDX-License-Identifier: BSD-2-Clause */
/* latency_text.h - figures of a table of latencies. Pure. */
#ifndef APPS_PORTABLE_LATENCY_TEXT_H
#define APPS_PORTABLE_LATENCY_TEXT_H

#include <stddef.h>
#include <stdint.h>

/* latency_hundredths() - `sum` by how much it is of, in hundredths, rounded half away from 0, so
 * that what is compared is what is printed. latency_format() - these as a number. */
int64_t latency_hundredths(int64_t sum, uint64_t times);
void latency_format(char *text, size_t size, int64_t hundredths);

/* The count of one event of ports. */
struct latency_port {
	const char *name; /* "p0", "p23" */
	int64_t sum;
};

/*
 * latency_ports() - "0.50*p0+0.50*p1": those of `n` that were used, by how much each of `times`
 * instructions did; "none" where that is none of them, "-" without events.
 */
void latency_ports(char *text, size_t size, const struct latency_port *ports, unsigned n,
		   uint64_t times);

#endif
