// SPDX-License-Identifier: BSD-2-Clause
/*
 * fuzz_sample.c - any bytes as a sample with any attr: all parsed fields are inside of the record.
 * The first bytes are the attr's sample_type, read_format, branch_sample_type and masks of
 * registers.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tools/stream/stream_sample.h"

#define ATTR_WORDS 5

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_bounds(const void *at, size_t bytes, const struct perf_event_header *record)
{
	const uint8_t *start = (const uint8_t *)record, *first = at;

	if (bytes && (first < start || bytes > record->size ||
		      first - start > (ptrdiff_t)(record->size - bytes)))
		abort();
}

static void check_sample_parts(const struct sample *s, const struct perf_event_header *record)
{
	const struct sample_words *const words[] = {&s->read, &s->chain, &s->branches,
						    &s->regs_user, &s->regs_intr};
	const struct sample_bytes *const bytes[] = {&s->raw, &s->stack_user, &s->aux};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (words[i]->n > record->size)
			abort();
		check_bounds(words[i]->at, words[i]->n * sizeof(uint64_t), record);
	}
	for (size_t i = 0; i < sizeof(bytes) / sizeof(bytes[0]); i++)
		check_bounds(bytes[i]->at, bytes[i]->n, record);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct perf_event_header *record;
	struct stream_event event = {0};
	const struct record_format format = {.events = &event, .nevents = 1};
	uint64_t word[ATTR_WORDS];
	struct sample sample;
	size_t n;

	if (size < sizeof(word) || size > UINT16_MAX)
		return 0;
	memcpy(word, data, sizeof(word));
	event.attr.sample_type = word[0];
	event.attr.read_format = word[1];
	event.attr.branch_sample_type = word[2];
	event.attr.sample_regs_user = word[3];
	event.attr.sample_regs_intr = word[4];
	n = (size - sizeof(word)) & ~(size_t)7;
	record = malloc(sizeof(*record) + n);
	*record = (struct perf_event_header){.type = PERF_RECORD_SAMPLE,
					     .size = (uint16_t)(sizeof(*record) + n)};
	memcpy(record + 1, data + sizeof(word), n);
	if (sample_parse(&format, record, &sample))
		check_sample_parts(&sample, record);
	free(record);
	return 0;
}
