// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_sample.c - parsing samples: every field is where perf_event_open(2) puts it, and sizes that
 * do not fit are refused.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/unit/test.h"

#include "tools/stream/stream_sample.h"

#define ALL_FIELDS ((PERF_SAMPLE_MAX - 1) & ~PERF_SAMPLE_WEIGHT_STRUCT)

/* A record in memory of its exact size, so that ASan sees reads beyond it. */
static struct perf_event_header *make_record(const uint64_t *words, size_t n)
{
	struct perf_event_header *record = malloc(sizeof(*record) + n * sizeof(*words));

	assert_non_null(record);
	*record = (struct perf_event_header){
		.type = PERF_RECORD_SAMPLE,
		.misc = PERF_RECORD_MISC_USER,
		.size = (uint16_t)(sizeof(*record) + n * sizeof(*words)),
	};
	if (n)
		memcpy(record + 1, words, n * sizeof(*words));
	return record;
}

static bool parse(const struct perf_event_attr *attr, const uint64_t *words, size_t n)
{
	struct stream_event event = {.attr = *attr};
	const struct record_format format = {.events = &event, .nevents = 1};
	struct perf_event_header *record = make_record(words, n);
	struct sample sample;
	bool good = sample_parse(&format, record, &sample);

	free(record);
	return good;
}

static struct perf_event_attr full_attr(void)
{
	return (struct perf_event_attr){
		.sample_type = ALL_FIELDS,
		.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID | PERF_FORMAT_TOTAL_TIME_ENABLED |
			       PERF_FORMAT_TOTAL_TIME_RUNNING,
		.branch_sample_type = PERF_SAMPLE_BRANCH_HW_INDEX,
		.sample_regs_user = 0x7,
		.sample_regs_intr = 0x81,
	};
}

/* A sample by hand, from the manual page; the numbers are positions. */
/* clang-format off */
static const uint64_t full[] = {
	0x11,                                     /* 0: IDENTIFIER */
	0x22,                                     /* IP */
	0x0000003400000033,                       /* pid 0x33, tid 0x34 */
	0x55,                                     /* TIME */
	0x66,                                     /* ADDR */
	0x11,                                     /* ID */
	0x77,                                     /* STREAM_ID */
	3,                                        /* CPU 3 */
	0x88,                                     /* PERIOD */
	2, 0xa0, 0xa1, 0xa2, 0xa3, 0xa4, 0xa5,    /* 9: READ: number, times, value and id each */
	3, 0xb0, 0xb1, 0xb2,                      /* 16: CALLCHAIN */
	0x646362610000000c, 0x6c6b6a6968676665,   /* 20: RAW: 12 bytes */
	1, 0xc9, 0xc0, 0xc1, 0xc2,                /* 22: BRANCH_STACK: 1 entry, hw_idx, the entry */
	2, 0xd0, 0xd1, 0xd2,                      /* REGS_USER: ABI 64, 3 registers */
	16, 0xe0, 0xe1, 8,                        /* 31: STACK_USER: 16 bytes, 8 of them written */
	0x99,                                     /* WEIGHT */
	0x9a,                                     /* DATA_SRC */
	0x9b,                                     /* TRANSACTION */
	2, 0xf0, 0xf1,                            /* REGS_INTR: ABI 64, 2 registers */
	0x9c,                                     /* PHYS_ADDR */
	0x9d,                                     /* CGROUP */
	0x9e,                                     /* DATA_PAGE_SIZE */
	0x9f,                                     /* CODE_PAGE_SIZE */
	3, 0x0000000000434241,                    /* 45: AUX: 3 bytes */
};
/* clang-format on */

#define NFULL (sizeof(full) / sizeof(full[0]))

static void make_full(uint64_t words[NFULL])
{
	memcpy(words, full, sizeof(full));
}

TEST(test_every_field)
{
	struct stream_event event = {.attr = full_attr()};
	const struct record_format format = {.events = &event, .nevents = 1};
	struct perf_event_header *record;
	uint64_t words[NFULL];
	struct sample s;

	make_full(words);
	record = make_record(words, NFULL);
	assert_true(sample_parse(&format, record, &s));
	assert_ptr_equal(s.event, &event);
	assert_int_equal(s.has, ALL_FIELDS);
	assert_false(s.kernel);
	assert_int_equal(s.id, 0x11);
	assert_int_equal(s.ip, 0x22);
	assert_int_equal(s.pid, 0x33);
	assert_int_equal(s.tid, 0x34);
	assert_int_equal(s.time, 0x55);
	assert_int_equal(s.addr, 0x66);
	assert_int_equal(s.stream_id, 0x77);
	assert_int_equal(s.cpu, 3);
	assert_int_equal(s.period, 0x88);
	assert_int_equal(s.read.n, 7);
	assert_int_equal(s.read.at[6], 0xa5);
	assert_int_equal(s.chain.n, 3);
	assert_int_equal(s.chain.at[2], 0xb2);
	assert_int_equal(s.raw.n, 12);
	assert_memory_equal(s.raw.at, "abcdefghijkl", 12);
	assert_int_equal(s.branches.n, 3);
	assert_int_equal(s.branches.at[0], 0xc0);
	assert_int_equal(s.regs_user.n, 3);
	assert_int_equal(s.regs_user.at[2], 0xd2);
	assert_int_equal(s.stack_user.n, 8);
	assert_int_equal(s.stack_user.at[0], 0xe0);
	assert_int_equal(s.weight, 0x99);
	assert_int_equal(s.data_src, 0x9a);
	assert_int_equal(s.transaction, 0x9b);
	assert_int_equal(s.regs_intr.n, 2);
	assert_int_equal(s.regs_intr.at[1], 0xf1);
	assert_int_equal(s.phys_addr, 0x9c);
	assert_int_equal(s.cgroup, 0x9d);
	assert_int_equal(s.data_page_size, 0x9e);
	assert_int_equal(s.code_page_size, 0x9f);
	assert_int_equal(s.aux.n, 3);
	assert_memory_equal(s.aux.at, "ABC", 3);
	free(record);
}

TEST(test_any_other_size_is_refused)
{
	const struct perf_event_attr attr = full_attr();
	uint64_t words[NFULL + 1] = {0};

	make_full(words);
	for (size_t n = 0; n < NFULL; n++)
		assert_false(parse(&attr, words, n));
	assert_true(parse(&attr, words, NFULL));
	assert_false(parse(&attr, words, NFULL + 1));
}

/* Sets every size to values that wrap when they are multiplied or added. */
TEST(test_sizes_that_lie)
{
	static const size_t sizes[] = {9, 16, 20, 22, 31, 45};
	static const uint64_t lies[] = {
		1u << 13,   UINT32_MAX,     1ull << 60, 1ull << 61,     UINT64_MAX / 24 + 1,
		1ull << 63, UINT64_MAX - 7, UINT64_MAX, UINT64_MAX - 3,
	};
	const struct perf_event_attr attr = full_attr();

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		for (size_t k = 0; k < sizeof(lies) / sizeof(lies[0]); k++) {
			uint64_t words[NFULL];

			make_full(words);
			words[sizes[i]] = lies[k];
			assert_false(parse(&attr, words, NFULL));
		}
}

/* For any words and any attr each parsed field is inside of the record. */
TEST(test_noise)
{
	srandom(1);
	for (unsigned round = 0; round < 200000; round++) {
		struct stream_event event = {.attr = full_attr()};
		const struct record_format format = {.events = &event, .nevents = 1};
		struct perf_event_header *record;
		uint64_t words[NFULL];
		struct sample s;
		volatile uint8_t sum = 0;

		make_full(words);
		for (unsigned i = 0; i < 3; i++)
			words[(size_t)random() % NFULL] = (uint64_t)random() % 24;
		event.attr.sample_type =
			((uint64_t)random() << 12 ^ (uint64_t)random()) & (PERF_SAMPLE_MAX - 1);
		event.attr.read_format = (uint64_t)random() & 0x1f;
		record = make_record(words, (size_t)random() % (NFULL + 1));
		if (sample_parse(&format, record, &s)) {
			for (size_t i = 0; i < s.chain.n; i++)
				sum += (uint8_t)s.chain.at[i];
			for (size_t i = 0; i < s.read.n; i++)
				sum += (uint8_t)s.read.at[i];
			for (size_t i = 0; i < s.stack_user.n; i++)
				sum += s.stack_user.at[i];
			for (size_t i = 0; i < s.raw.n; i++)
				sum += s.raw.at[i];
		}
		free(record);
	}
}

/* An ABI of 0 and an empty stack have no data after them. A single value has no number before it.
 */
TEST(test_absent_parts)
{
	const struct perf_event_attr attr = {
		.sample_type = PERF_SAMPLE_READ | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER,
		.read_format = PERF_FORMAT_LOST,
		.sample_regs_user = 0xff,
	};
	static const uint64_t words[] = {0xa0, 0xa1, 0, 0};

	assert_true(parse(&attr, words, 4));
}

TEST(test_period_of_the_attr)
{
	struct stream_event event = {.attr = {.sample_period = 77}};
	const struct record_format format = {.events = &event, .nevents = 1};
	struct perf_event_header *record = make_record(NULL, 0);
	struct sample s;

	assert_true(sample_parse(&format, record, &s));
	assert_int_equal(s.period, 77);
	event.attr.freq = 1;
	assert_true(sample_parse(&format, record, &s));
	assert_int_equal(s.period, 0);
	free(record);
}

TEST(test_unknown_field)
{
	const struct perf_event_attr attr = {.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_MAX};
	static const uint64_t words[] = {1, 2};

	assert_false(parse(&attr, words, 1));
	assert_false(parse(&attr, words, 2));
}
