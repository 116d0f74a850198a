// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_step_trace_area.c - the PMU step_trace: a full area, parts of an area, and the AUX records
 * about them.
 */
#include "tests/unit/record/step_traced.h"

#include "tests/unit/test.h"

static uint8_t storage_copy[RB_PAGE_SIZE];

/* --- The area --- */

TEST(test_full_area)
{
	uint64_t told, offset, words[3];
	uint8_t got[RB_PAGE_SIZE];
	size_t n;

	open_event(wanted(), false, 0);
	in_task(many_branches);
	next_start();
	next_record(PERF_RECORD_AUX, words, 3); /* by the watermark */
	assert_true(words[0] == 0 && words[1] >= RB_PAGE_SIZE / 2 && !words[2]);
	told = words[1];
	next_record(PERF_RECORD_AUX, words, 3);
	assert_true(words[0] == told && words[2] == PERF_AUX_FLAG_TRUNCATED);
	told += words[1];
	assert_true(told <= RB_PAGE_SIZE && told > RB_PAGE_SIZE - 256);
	assert_true(rig_value(&event) == BRANCHES); /* traced or not */
	n = rb_aux_read(&aux, got, sizeof(got), &offset);
	assert_true(n == told && got[n - 1] == PGD);

	/* When there is room again, a new stretch begins, which can be decoded by itself. */
	in_task(a_few_branches);
	n = rb_aux_read(&aux, got, sizeof(got), &offset);
	assert_true(offset == told && got[0] == 0x02 && got[1] == 0x82);
	next_aux(told, n, 0);
	assert_true(aux.head == told + n);
	pmu_event_close(&event);
}

static void drained_in_between(void)
{
	uint8_t got[RB_PAGE_SIZE];
	uint64_t offset;

	many_branches();
	rb_aux_read(&aux, got, sizeof(got), &offset);
	executed(INSN_JCC, 2, START, START + 2); /* seen that there is room, behind it */
	executed(INSN_JCC, 2, START + 2, START + 4);
}

TEST(test_goes_on_after_a_drain)
{
	open_event(wanted(), false, 0);
	in_task(drained_in_between);
	TRACED(BEGIN, 0x71, 0x02, 0x10, 0x00, 0x00, 0x00, 0x40, 0x04, 0x3d, 0x04, 0x10, PGD);
	pmu_event_close(&event);
}

TEST(test_psb_period)
{
	uint8_t got[RB_PAGE_SIZE];
	uint64_t offset;
	size_t n, psbs = 0;

	open_event(wanted(), false, RB_PAGE_SIZE);
	in_task(many_branches);
	n = rb_aux_read(&aux, got, sizeof(got), &offset);
	for (size_t i = 0; i + 16 <= n; i++)
		psbs += !memcmp(got + i, (const uint8_t[]){PSB}, 16);
	assert_int_equal(psbs, 2); /* one every 2 KiB */
	pmu_event_close(&event);
}

/* Reads the three words of the next AUX record. False: there is none. */
static bool read_aux(uint64_t *words)
{
	static uint8_t buffer[2 * RB_PAGE_SIZE];
	static size_t have, at;
	struct perf_event_header header;

	do {
		if (at == have) {
			have = rb_read(rb, buffer, sizeof(buffer));
			at = 0;
		}
		if (at == have)
			return false;
		memcpy(&header, buffer + at, sizeof(header));
		memcpy(words, buffer + at + sizeof(header), 3 * sizeof(*words));
		at += header.size;
	} while (header.type != PERF_RECORD_AUX);
	return true;
}

/* Turns fit until one finds no room. That turn is missing, and a record says so, once. */
TEST(test_no_room_for_a_turn)
{
	uint64_t words[3] = {0}, told = 0, head, truncated = 0, turns = 0;

	open_event(wanted(), false, 0);
	do {
		head = aux.head;
		in_task(a_few_branches);
		turns++;
	} while (aux.head != head);
	in_task(a_few_branches);
	in_task(a_few_branches);
	assert_true(aux.head == head && rig_value(&event) == 5 * (turns + 2));
	while (read_aux(words)) {
		assert_true(words[0] == told);
		told += words[1];
		truncated += words[2] == PERF_AUX_FLAG_TRUNCATED;
	}
	assert_true(told == head && truncated == 1 && !words[1]);

	/* With room again no part is missing; after that a part is missing again. */
	rb_aux_read(&aux, storage_copy, sizeof(storage_copy), &head);
	in_task(a_few_branches);
	assert_true(read_aux(words) && words[0] == told && !words[2]);
	in_task(many_branches);
	for (truncated = 0; read_aux(words);)
		truncated += words[2] == PERF_AUX_FLAG_TRUNCATED;
	assert_true(truncated == 1);
	pmu_event_close(&event);
}

static void fill_ring(void)
{
	struct rb_writer w;

	while (rb_begin(&w, rb, 16)) {
		rb_put(&w, PERF_RECORD_LOST | 16ull << 48);
		rb_put(&w, 0);
		rb_end(&w);
	}
}

/* One record covers two parts: the missing bytes are in the middle. */
TEST(test_a_gap_is_partial)
{
	uint64_t words[3], offset;

	open_event(wanted(), false, RB_PAGE_SIZE);
	fill_ring();
	in_task(many_branches);
	rb_aux_read(&aux, storage_copy, sizeof(storage_copy), &offset);
	in_task(a_few_branches);
	assert_false(read_aux(words));
	assert_true(pmu_output_aux_rest(&event));
	assert_true(read_aux(words));
	assert_true(words[0] == 0 && words[1] == aux.head);
	assert_true(words[2] == (PERF_AUX_FLAG_TRUNCATED | PERF_AUX_FLAG_PARTIAL));
	pmu_event_close(&event);
}

/* --- Between two outputs --- */

static unsigned nlooks;
static uint64_t seen; /* aux.head, then */

static void look(void *arg)
{
	assert_ptr_equal(arg, &nlooks);
	assert_false(aux.busy || stepping);
	nlooks++;
	seen = aux.head;
}

static void looked_at_in_between(void)
{
	const uint64_t head = aux.head;

	a_few_branches();
	assert_true(pmu_event_between_aux(&event, look, &nlooks));
	assert_true(stepping && nlooks == 1 && seen > head);
	a_few_branches();
}

/* The trace until now is in the area, with its record. The trace after it can be decoded by itself.
 */
TEST(test_between)
{
	uint8_t got[RB_PAGE_SIZE];

	open_event(wanted(), true, 0);
	nlooks = 0;
	in_task(looked_at_in_between);
	next_start();
	next_aux(0, seen, PERF_AUX_FLAG_OVERWRITE);
	next_aux(0, aux.head, PERF_AUX_FLAG_OVERWRITE);
	rb_aux_peek(&aux, 0, got, sizeof(got));
	assert_int_equal(got[seen - 1], PGD);
	assert_memory_equal(got + seen, ((const uint8_t[]){BEGIN}), 20);
	assert_true(rig_value(&event) == 10);

	/* While the task does not run, no part of a trace can end. */
	assert_true(pmu_event_between_aux(&event, look, &nlooks));
	assert_true(!stepping && nlooks == 2 && seen == aux.head);
	pmu_event_close(&event);
}

static void looked_at_in_vain(void)
{
	a_few_branches();
	assert_false(pmu_event_between_aux(&event, look, &nlooks));
	assert_true(stepping);
}

TEST(test_between_without_room)
{
	struct perf_event_attr attr = wanted();

	open_event(wanted(), true, 0);
	nlooks = 0;
	fill_ring();
	in_task(looked_at_in_vain);
	pmu_event_close(&event);
	boot_stepping(); /* and without an area */
	assert_int_equal(rig_open(&event, &attr, NULL), 0);
	in_task(looked_at_in_vain);
	assert_int_equal(nlooks, 0);
	pmu_event_close(&event);
}

TEST(test_overwrite)
{
	uint8_t got[RB_PAGE_SIZE];

	open_event(wanted(), true, 0);
	in_task(many_branches);
	assert_true(aux.head > 3 * BRANCHES);
	next_start();
	next_aux(aux.head - RB_PAGE_SIZE, RB_PAGE_SIZE, PERF_AUX_FLAG_OVERWRITE);
	assert_int_equal(rb_aux_peek(&aux, rb_aux_oldest(&aux), got, sizeof(got)), sizeof(got));
	assert_int_equal(got[RB_PAGE_SIZE - 1], PGD);
	assert_true(rig_value(&event) == BRANCHES);
	pmu_event_close(&event);
}

/* AUX records that find no room are joined later; their sum is complete. */
TEST(test_full_ring)
{
	static uint8_t all[RB_PAGE_SIZE];
	struct rb_writer w;
	uint64_t words[3], lost;

	open_event(wanted(), false, 64);
	in_task(a_few_branches);
	next_start();
	next_aux(0, aux.head, 0);
	while (rb_begin(&w, rb, 16)) {
		rb_put(&w, PERF_RECORD_LOST | 16ull << 48);
		rb_put(&w, 0);
		rb_end(&w);
	}
	lost = rb->lost_total;
	in_task(a_few_branches);
	in_task(a_few_branches);
	assert_false(pmu_output_aux_rest(&event));
	assert_true(rb->lost_total == lost);
	assert_int_equal(rb_read(rb, all, sizeof(all)), RB_PAGE_SIZE);
	assert_true(pmu_output_aux_rest(&event));
	next_record(PERF_RECORD_AUX, words, 3);
	assert_true(words[0] + words[1] == aux.head && words[0] == aux.head / 3);
	pmu_event_close(&event);
}
