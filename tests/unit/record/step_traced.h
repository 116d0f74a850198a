/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * step_traced.h - an event of the PMU step_trace with an area, and the trace in it.
 */
#ifndef TESTS_STEP_TRACED_H
#define TESTS_STEP_TRACED_H

#include "pmu/names/dynamic.h"
#include "pmu/names/parse.h"
#include "pmu/names/step_trace.h"
#include "rb/aux.h"
#include "tests/shim/rig.h"

#include <linux/errno.h>
#include <string.h>

#include "tests/unit/test.h"

#define START 0x400000001000ull

static uint8_t storage[2 * RB_PAGE_SIZE] __attribute__((aligned(RB_PAGE_SIZE)));

static struct rb *rb;
static struct rb_aux aux;
static struct pmu_event event;
static bool stepping;
static const struct pmu_step *at_end; /* what host.step(false) tells of */

static inline void switch_stepping(bool on)
{
	assert_true(stepping != on);
	stepping = on;
	if (on || !at_end)
		return;
	pmu_step(at_end);
	at_end = NULL;
}

static inline struct perf_event_attr wanted(void)
{
	struct perf_event_attr attr = rig_attr(PMU_TYPE_STEP_TRACE, STEP_TRACE_NEEDED);

	attr.exclude_kernel = 1;
	attr.sample_type = PERF_SAMPLE_TID;
	return attr;
}

static inline void boot_stepping(void)
{
	rig_boot("skx", true);
	rig.host.step = switch_stepping;
	rig.user_ip = START;
	stepping = false;
	at_end = NULL;
}

/* An event on the task with a ring, and with an area of one page. */
static inline void open_event(struct perf_event_attr attr, bool overwrite, uint64_t watermark)
{
	boot_stepping();
	rb = rig_ring(1);
	assert_int_equal(rb_aux_init(&aux, rb, storage, 1, watermark, overwrite), 0);
	assert_int_equal(rig_open(&event, &attr, NULL), 0);
	pmu_event_set_output(&event, rb);
}

static inline void executed(uint8_t kind, uint8_t length, uint64_t from, uint64_t to)
{
	pmu_step(&(struct pmu_step){
		.executed = true,
		.from = from,
		.to = to,
		.insn = {.kind = kind, .length = length},
	});
	rig.user_ip = to;
}

static inline void in_task(void (*what)(void))
{
	pmu_task_sched_in(&rig.task);
	assert_true(stepping);
	what();
	pmu_task_sched_out();
	assert_false(stepping);
}

/* Reads the trace from the area. */
static inline void traced(const uint8_t *bytes, size_t n)
{
	uint8_t got[RB_PAGE_SIZE];
	uint64_t offset;

	assert_int_equal(rb_aux_read(&aux, got, sizeof(got), &offset), n);
	assert_memory_equal(got, bytes, n);
}

#define PSB   2, 0x82, 2, 0x82, 2, 0x82, 2, 0x82, 2, 0x82, 2, 0x82, 2, 0x82, 2, 0x82
#define BEGIN PSB, 0x99, 0x01, 0x02, 0x23

#define PGD 0x01

#define TRACED(...) traced((const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__}))

/* Reads the first `n` words of the next record, which must have `type`. */
static inline void next_record(uint32_t type, uint64_t *words, size_t n)
{
	static uint8_t buffer[RB_PAGE_SIZE];
	static size_t have, at;
	struct perf_event_header header;

	if (at == have) {
		have = rb_read(rb, buffer, sizeof(buffer));
		at = 0;
	}
	assert_true(have > at);
	memcpy(&header, buffer + at, sizeof(header));
	assert_int_equal(header.type, type);
	memcpy(words, buffer + at + sizeof(header), n * sizeof(*words));
	at += header.size;
}

static inline void next_aux(uint64_t offset, uint64_t size, uint64_t flags)
{
	uint64_t words[3];

	next_record(PERF_RECORD_AUX, words, 3);
	assert_true(words[0] == offset);
	assert_true(words[1] == size);
	assert_true(words[2] == flags);
}

static inline void next_start(void)
{
	uint64_t word;

	next_record(PERF_RECORD_ITRACE_START, &word, 1);
	assert_true(word == ((uint64_t)RIG_TID << 32 | RIG_PID));
}

static inline void a_few_branches(void)
{
	executed(INSN_PLAIN, 0, START, START + 3);
	executed(INSN_JCC, 2, START + 3, START);
	executed(INSN_JCC, 2, START, START + 2);
	executed(INSN_INDIRECT, 2, START + 2, START + 0x100);
	executed(INSN_FAR, 2, START + 0x100, START + 0x200);
}

#define BRANCHES 2000

/* Steps over indirect branches: each takes three bytes of the trace. */
static inline void many_branches(void)
{
	for (unsigned i = 0; i < BRANCHES; i++)
		executed(INSN_INDIRECT, 2, START + 4 * i, START + 4 * (i + 1));
}

#endif
