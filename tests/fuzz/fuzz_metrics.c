// SPDX-License-Identifier: BSD-2-Clause
/*
 * fuzz_metrics.c - any bytes as a text with metrics: it is read, with a value for each metric, or
 * refused with one sentence and a place inside of the text. Shipped metrics do not change.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pmu/metrics/choose.h"
#include "pmu/metrics/shipped.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct metrics m;
static struct metric_choice choice;

static void check_reason(const struct reason *why)
{
	if (!why->text[0] || strchr(why->text, '\n'))
		abort();
}

/* Checks that a message is "any:LINE:COLUMN: ...", with an existing line. */
static void check_line_column(const struct reason *why, const uint8_t *data, size_t size, char end)
{
	unsigned line, column, lines = 1;

	check_reason(why);
	for (size_t i = 0; i < size; i++)
		lines += data[i] == end;
	if (sscanf(why->text, "any:%u:%u: ", &line, &column) == 2 &&
	    (!line || line > lines || !column || column > METRICS_LINE_MAX + 2))
		abort();
}

static void check_groups(void)
{
	static char list[METRICS_LIST_MAX];

	for (unsigned g = 0; g < choice.ngroups; g++) {
		uint64_t places = 0;

		metrics_list_group(&choice, g, list);
		for (unsigned i = 0; i < choice.nevents; i++)
			if (choice.group[g] >> i & 1)
				places |= 1ull << metrics_place(&choice, g, i);
		if (places & (places + 1)) /* each has one of its own */
			abort();
	}
}

static void compute_values(void)
{
	struct real counts[METRICS_ITS_EVENTS];
	char text[REAL_TEXT];

	for (unsigned i = 0; i < METRICS_ITS_EVENTS; i++)
		counts[i] = real_of(i * 12345678901ull);
	for (unsigned i = 0; i < choice.n; i++)
		real_print(text, metrics_value(&choice, i, counts, real_ratio(1, 3)), 9);
}

/* The shipped metrics are read once. */
static void read_shipped(bool amd)
{
	static struct metrics shipped[2];
	struct reason why;

	if (!shipped[amd].ntexts &&
	    metrics_begin_shipped(&shipped[amd], uarch_by_name(amd ? "zen4" : "skx"), &why))
		abort();
	m = shipped[amd];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct metrics_world world = {.elsewhere = size % 2, .ncpus = 2, .tsc_hz = 1000};
	const char end = size % 3 ? '\n' : ';';
	char *text = malloc(size + 1);
	struct reason why = {""};

	memcpy(text, data, size);
	text[size] = '\0';
	read_shipped(size % 5 == 0);
	if (metrics_read(&m, "any", text, size, end, &why)) {
		check_line_column(&why, data, size, end);
		if (m.ntexts != 1)
			abort();
	} else {
		metrics_choose_begin(&choice);
		if (metrics_choose_text(&choice, &m, 1, &world, &why) ||
		    metrics_choose_end(&choice, &world, &why)) {
			check_line_column(&why, data, size, end);
		} else {
			check_groups();
			compute_values();
		}
	}
	free(text);
	return 0;
}
