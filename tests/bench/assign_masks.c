// SPDX-License-Identifier: BSD-2-Clause
/*
 * assign_masks.c - the assignment alone, for comparison with other implementations. Reads lines
 *	NGP NFIXED GPMAX N mask:overlap ...
 * Masks are hexadecimal, with general counters from bit 0 and fixed ones from bit 32. GPMAX is the
 * number of usable general counters (0: all), overlap is 0 or 1. Writes "ok" and the counter of
 * each event, or "fail". --exact assigns exactly instead of by policy perf. An invalid line ends
 * the program with status 2 and the line's number on standard error.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pmu/sched/assign.h"
#include "lib/bits.h"

struct line {
	unsigned n;
	uint8_t general_max;
	struct pmu_constraint events[PMU_COUNTERS + 1];
};

static void skip_blanks(const char **p)
{
	while (**p == ' ' || **p == '\t' || **p == '\r')
		(*p)++;
}

static bool read_number(const char **p, uint64_t max, uint64_t *value)
{
	const char *start;

	skip_blanks(p);
	start = *p;
	for (*value = 0; **p >= '0' && **p <= '9' && *p < start + 9; (*p)++)
		*value = *value * 10 + (uint64_t)(**p - '0');
	return *p != start && *value <= max;
}

static int digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool read_mask(const char **p, uint64_t *mask)
{
	const char *start;

	skip_blanks(p);
	if ((*p)[0] == '0' && ((*p)[1] | 0x20) == 'x')
		*p += 2;
	start = *p;
	for (*mask = 0; digit(**p) >= 0 && *p < start + 16; (*p)++)
		*mask = *mask << 4 | (uint64_t)digit(**p);
	return *p != start;
}

/* mask, or mask:0, or mask:1 */
static bool read_event(const char **p, uint64_t counters, struct pmu_constraint *event)
{
	uint64_t mask, overlap = 0;

	if (!read_mask(p, &mask))
		return false;
	if (**p == ':') {
		(*p)++;
		if (**p != '0' && **p != '1')
			return false;
		overlap = *(*p)++ == '1';
	}
	*event = pmu_constraint(mask & counters, overlap);
	return true;
}

static bool parse_job(const char *p, struct line *line)
{
	uint64_t general, fixed, general_max, n, counters;

	if (!read_number(&p, 32, &general) || !read_number(&p, PMU_COUNTERS - 32, &fixed) ||
	    !read_number(&p, 32, &general_max) || !read_number(&p, PMU_COUNTERS + 1, &n))
		return false;
	counters = bits_low((unsigned)general) | bits_low((unsigned)fixed) << PMU_FIRST_FIXED;
	line->n = (unsigned)n;
	line->general_max = (uint8_t)(general_max ? general_max : general);
	for (unsigned i = 0; i < n; i++)
		if (!read_event(&p, counters, &line->events[i]))
			return false;
	skip_blanks(&p);
	return *p == '\n' || !*p;
}

static bool assign(const struct line *line, bool exact, uint8_t *index)
{
	const struct pmu_assign_job job = {.events = line->events,
					   .n = line->n,
					   .general_max = line->general_max,
					   .flags = PMU_ASSIGN_DEFAULT};
	uint64_t masks[PMU_COUNTERS + 1];

	if (!exact)
		return pmu_assign_greedy(&job, index);
	for (unsigned i = 0; i < line->n; i++)
		masks[i] = line->events[i].counters;
	return pmu_assign_exact(masks, line->n, line->general_max, index);
}

static void write_counter(unsigned counter)
{
	putchar_unlocked(' ');
	if (counter >= 10)
		putchar_unlocked((int)('0' + counter / 10));
	putchar_unlocked((int)('0' + counter % 10));
}

static void answer(const struct line *line, bool exact)
{
	uint8_t index[PMU_COUNTERS];

	if (!assign(line, exact, index)) {
		fputs("fail\n", stdout);
		return;
	}
	fputs("ok", stdout);
	for (unsigned i = 0; i < line->n; i++)
		write_counter(index[i]);
	putchar_unlocked('\n');
}

int main(int argc, char **argv)
{
	bool exact = argc == 2 && !strcmp(argv[1], "--exact");
	unsigned long number = 0;
	char *text = NULL;
	size_t size = 0;
	struct line line;

	if (argc > 2 || (argc == 2 && !exact)) {
		fputs("usage: assign-masks [--exact] <lines\n", stderr);
		return 2;
	}
	while (getline(&text, &size, stdin) > 0) {
		number++;
		if (*text == '\n' || *text == '#')
			continue;
		if (!parse_job(text, &line)) {
			fprintf(stderr,
				"assign-masks: line %lu: expected NGP NFIXED GPMAX N mask:overlap "
				"... with at most 32 general and 16 fixed counters and %d events\n",
				number, PMU_COUNTERS + 1);
			free(text);
			return 2;
		}
		answer(&line, exact);
	}
	free(text);
	return fflush(stdout) ? 2 : 0;
}
