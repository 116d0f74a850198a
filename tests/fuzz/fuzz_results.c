// SPDX-License-Identifier: BSD-2-Clause
/*
 * fuzz_results.c - any bytes as a baseline: the file is refused with a line and a sentence, or
 * read. A file that was read is written again unchanged, except for its first line.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/gate/compare.h"
#include "tools/gate/gate_results.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_reason(const struct reason *why, const uint8_t *data, size_t size)
{
	unsigned long line, lines = 1;
	int n = 0;

	for (size_t i = 0; i < size; i++)
		lines += data[i] == '\n';
	if (sscanf(why->text, "line %lu%n", &line, &n) != 1 || !line || line > lines ||
	    !why->text[n])
		abort();
}

/* Returns the offset after the first line. */
static size_t body_at(const void *data, size_t size)
{
	const uint8_t *end = memchr(data, '\n', size);

	return end ? (size_t)(end + 1 - (const uint8_t *)data) : size;
}

static void check_written(const struct gate_results *results, const uint8_t *data, size_t size)
{
	const size_t from = body_at(data, size);
	struct buf out = {0};
	size_t written;

	gate_results_write(&out, results);
	written = body_at(out.data, out.size);
	if (size - from != out.size - written ||
	    memcmp(data + from, out.data + written, size - from))
		abort();
	buf_free(&out);
}

static struct tolerance no_tolerance(const void *ctx, const char *benchmark, const char *event)
{
	(void)ctx;
	(void)benchmark;
	(void)event;
	return (struct tolerance){0};
}

/* A result is not worse than itself. Two copies of a shard do not make a whole. */
static void check_itself(const struct gate_results *results)
{
	const struct tolerances tolerances = {no_tolerance, NULL};
	const struct gate_results twice[] = {*results, *results};
	static const char *const paths[] = {"a", "b"};
	struct gate_results merged = {0};
	struct comparison comparison;
	struct reason why;

	compare_results(&comparison, results, results, &tolerances, false);
	if (comparison.count[VERDICT_SAME] != comparison.n)
		abort();
	comparison_free(&comparison);
	if (!gate_results_merge(&merged, twice, paths, 2, &why))
		abort();
	gate_results_free(&merged);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct gate_results results = {0};
	struct reason why = {""};

	if (gate_results_parse(&results, (const char *)data, size, &why)) {
		check_reason(&why, data, size);
	} else {
		check_written(&results, data, size);
		check_itself(&results);
	}
	gate_results_free(&results);
	return 0;
}
