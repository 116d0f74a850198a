// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_step_trace.c - the PMU step_trace: what it counts, what it writes for each kind of step, a
 * full area, parts of an area and the records that tell of them, and what it refuses.
 */
#include "pmu/names/dynamic.h"
#include "pmu/names/parse.h"
#include "pmu/names/step_trace.h"
#include "rb/aux.h"
#include "tests/shim/rig.h"

#include <linux/errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define START 0x400000001000ull

static uint8_t storage[2 * RB_PAGE_SIZE] __attribute__((aligned(RB_PAGE_SIZE)));
static uint8_t storage_copy[RB_PAGE_SIZE];
static struct rb *rb;
static struct rb_aux aux;
static struct pmu_event event;
static bool stepping;
static const struct pmu_step *at_end; /* what host.step(false) tells of */

static void step(bool on)
{
	assert_true(stepping != on);
	stepping = on;
	if (on || !at_end)
		return;
	pmu_step(at_end);
	at_end = NULL;
}

static struct perf_event_attr wanted(void)
{
	struct perf_event_attr attr = rig_attr(PMU_TYPE_STEP_TRACE, STEP_TRACE_NEEDED);

	attr.exclude_kernel = 1;
	attr.sample_type = PERF_SAMPLE_TID;
	return attr;
}

static void boot(void)
{
	rig_boot("skx", true);
	rig.host.step = step;
	rig.user_ip = START;
	stepping = false;
	at_end = NULL;
}

/* An event on the task with a ring, and with an area of one page. */
static void open_event(struct perf_event_attr attr, bool overwrite, uint64_t watermark)
{
	boot();
	rb = rig_ring(1);
	assert_int_equal(rb_aux_init(&aux, rb, storage, 1, watermark, overwrite), 0);
	assert_int_equal(rig_open(&event, &attr, NULL), 0);
	pmu_event_set_output(&event, rb);
}

static void executed(uint8_t kind, uint8_t length, uint64_t from, uint64_t to)
{
	pmu_step(&(struct pmu_step){
		.executed = true,
		.from = from,
		.to = to,
		.insn = {.kind = kind, .length = length},
	});
	rig.user_ip = to;
}

static void in_task(void (*what)(void))
{
	pmu_task_sched_in(&rig.task);
	assert_true(stepping);
	what();
	pmu_task_sched_out();
	assert_false(stepping);
}

/* The trace, read from the area. */
static void traced(const uint8_t *bytes, size_t n)
{
	uint8_t got[RB_PAGE_SIZE];
	uint64_t offset;

	assert_int_equal(rb_aux_read(&aux, got, sizeof(got), &offset), n);
	assert_memory_equal(got, bytes, n);
}

#define PSB   2, 0x82, 2, 0x82, 2, 0x82, 2, 0x82, 2, 0x82, 2, 0x82, 2, 0x82, 2, 0x82
#define BEGIN PSB, 0x99, 0x01, 0x02, 0x23
#define AT_0  0x71, 0x00, 0x10, 0x00, 0x00, 0x00, 0x40 /* TIP.PGE to START */
#define PGD   0x01

#define TRACED(...) traced((const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__}))

/* Reads the next record of `type` that is not of other kinds; its first `n` words. */
static void next_record(uint32_t type, uint64_t *words, size_t n)
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

static void next_aux(uint64_t offset, uint64_t size, uint64_t flags)
{
	uint64_t words[3];

	next_record(PERF_RECORD_AUX, words, 3);
	assert_true(words[0] == offset);
	assert_true(words[1] == size);
	assert_true(words[2] == flags);
}

static void next_start(void)
{
	uint64_t word;

	next_record(PERF_RECORD_ITRACE_START, &word, 1);
	assert_true(word == ((uint64_t)RIG_TID << 32 | RIG_PID));
}

/* --- Kinds of steps --- */

static void a_few_branches(void)
{
	executed(INSN_PLAIN, 0, START, START + 3);
	executed(INSN_JCC, 2, START + 3, START);
	executed(INSN_JCC, 2, START, START + 2);
	executed(INSN_INDIRECT, 2, START + 2, START + 0x100);
	executed(INSN_FAR, 2, START + 0x100, START + 0x200);
}

static void test_branches(void **state)
{
	(void)state;
	open_event(wanted(), false, 0);
	in_task(a_few_branches);
	/* Interrupted in the end. */
	TRACED(BEGIN, AT_0, 0x0c, 0x2d, 0x00, 0x11, 0x2d, 0x00, 0x12, 0x3d, 0x00, 0x12, PGD);
	next_start();
	next_aux(0, 20 + 7 + 1 + 3 + 3 + 3 + 1, 0);
	assert_true(rig_value(&event) == 5);
	pmu_event_close(&event);
}

static void a_system_call(void)
{
	executed(INSN_ENTER, 2, START, START + 2);
	executed(INSN_JCC, 2, START + 2, START + 4);
}

static void test_system_calls(void **state)
{
	static const struct pmu_step last = {
		.executed = true, .from = START + 4, .insn = {.kind = INSN_ENTER, .length = 2}};

	(void)state;
	open_event(wanted(), false, 0);
	at_end = &last;
	in_task(a_system_call);
	TRACED(BEGIN, AT_0, PGD, 0x31, 0x02, 0x10, 0x04, PGD);
	assert_true(rig_value(&event) == 3);
	pmu_event_close(&event);
}

static void an_interrupt(void)
{
	executed(INSN_JCC, 2, START, START + 2);
	pmu_step(&(struct pmu_step){.from = START + 2, .to = START + 2});
	pmu_step(&(struct pmu_step){.from = START + 2, .to = START + 0x40}); /* a mended fault */
	executed(INSN_JCC, 2, START + 0x40, START + 0x44);
}

static void test_interrupts(void **state)
{
	static const struct pmu_step last = {
		.executed = true, .from = START + 0x44, .insn = {.kind = INSN_ENTER, .length = 2}};

	(void)state;
	open_event(wanted(), false, 0);
	at_end = &last;
	in_task(an_interrupt);
	TRACED(BEGIN, AT_0, 0x04, 0x3d, 0x02, 0x10, PGD, 0x31, 0x02, 0x10, 0x3d, 0x02, 0x10, PGD,
	       0x31, 0x40, 0x10, 0x06, PGD);
	assert_true(rig_value(&event) == 3);
	pmu_event_close(&event);
}

static void test_time(void **state)
{
	struct perf_event_attr attr = wanted();
	uint8_t got[64];
	uint64_t offset, tsc = 0;

	(void)state;
	attr.config |= 1 << STEP_TRACE_TSC_BIT;
	open_event(attr, false, 0);
	in_task(a_system_call);
	rb_aux_read(&aux, got, sizeof(got), &offset);
	assert_int_equal(got[16], 0x19);
	memcpy(&tsc, got + 17, 7);
	assert_true(tsc && tsc <= rdtsc());
	assert_int_equal(got[16 + 8 + 2 + 2 + 8 + 7], PGD);
	assert_int_equal(got[16 + 8 + 2 + 2 + 8 + 7 + 1], 0x19); /* back from the system call */
	pmu_event_close(&event);
}

/* --- The area --- */

#define BRANCHES 2000

/* An indirect branch each: three bytes. */
static void many_branches(void)
{
	for (unsigned i = 0; i < BRANCHES; i++)
		executed(INSN_INDIRECT, 2, START + 4 * i, START + 4 * (i + 1));
}

static void test_full_area(void **state)
{
	uint64_t told, offset, words[3];
	uint8_t got[RB_PAGE_SIZE];
	size_t n;

	(void)state;
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

	/* There is room again: a new stretch, which can be decoded by itself. */
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

static void test_goes_on_after_a_drain(void **state)
{
	(void)state;
	open_event(wanted(), false, 0);
	in_task(drained_in_between);
	TRACED(BEGIN, 0x71, 0x02, 0x10, 0x00, 0x00, 0x00, 0x40, 0x04, 0x3d, 0x04, 0x10, PGD);
	pmu_event_close(&event);
}

static void test_psb_period(void **state)
{
	uint8_t got[RB_PAGE_SIZE];
	uint64_t offset;
	size_t n, psbs = 0;

	(void)state;
	open_event(wanted(), false, RB_PAGE_SIZE);
	in_task(many_branches);
	n = rb_aux_read(&aux, got, sizeof(got), &offset);
	for (size_t i = 0; i + 16 <= n; i++)
		psbs += !memcmp(got + i, (const uint8_t[]){PSB}, 16);
	assert_int_equal(psbs, 2); /* one every 2 KiB */
	pmu_event_close(&event);
}

/* Without a record in between; its flags. False: there is none. */
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

/* Each turn fits, until there is no room to begin one: that one is missing, and it is said, once.
 */
static void test_no_room_for_a_turn(void **state)
{
	uint64_t words[3] = {0}, told = 0, head, truncated = 0, turns = 0;

	(void)state;
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

	/* With room there is nothing missing, and then there is again. */
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

/* Told together, what is missing is in the middle. */
static void test_a_gap_is_partial(void **state)
{
	uint64_t words[3], offset;

	(void)state;
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

/* All that came so far is there, and told of; what comes behind it can be decoded by itself. */
static void test_between(void **state)
{
	uint8_t got[RB_PAGE_SIZE];

	(void)state;
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

	/* While the task does not run there is nothing to end. */
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

static void test_between_without_room(void **state)
{
	struct perf_event_attr attr = wanted();

	(void)state;
	open_event(wanted(), true, 0);
	nlooks = 0;
	fill_ring();
	in_task(looked_at_in_vain);
	pmu_event_close(&event);
	boot(); /* and without an area */
	assert_int_equal(rig_open(&event, &attr, NULL), 0);
	in_task(looked_at_in_vain);
	assert_int_equal(nlooks, 0);
	pmu_event_close(&event);
}

static void test_overwrite(void **state)
{
	uint8_t got[RB_PAGE_SIZE];

	(void)state;
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

/* AUX records that find no room are told together later; nothing is missing in the sum. */
static void test_full_ring(void **state)
{
	static uint8_t all[RB_PAGE_SIZE];
	struct rb_writer w;
	uint64_t words[3], lost;

	(void)state;
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

/* --- Without an area, and what is refused --- */

static void test_counts_alone(void **state)
{
	struct perf_event_attr attr = wanted();

	(void)state;
	boot();
	assert_int_equal(rig_open(&event, &attr, NULL), 0);
	in_task(many_branches);
	assert_true(rig_value(&event) == BRANCHES);
	pmu_event_close(&event);
}

static void refused(struct perf_event_attr attr, int error, const char *why)
{
	struct pmu_event e;

	assert_int_equal(rig_open(&e, &attr, NULL), -error);
	if (!strstr(rig.why.text, why))
		fail_msg("'%s' is not in '%s'", why, rig.why.text);
}

static void test_refusals(void **state)
{
	struct perf_event_attr attr = wanted();

	(void)state;
	boot();
	attr.config |= 1 << 1;
	refused(attr, EINVAL, "config has bits");
	attr = wanted();
	attr.config &= ~(1ull << STEP_TRACE_NORETCOMP_BIT);
	refused(attr, EINVAL, "noretcomp");
	attr = wanted();
	attr.exclude_kernel = 0;
	attr.exclude_user = 1;
	refused(attr, EOPNOTSUPP, "ring 3 only");
	attr = wanted();
	attr.sample_period = 1;
	refused(attr, EINVAL, "no period");
	attr = wanted();
	assert_int_equal(rig_open(&event, &attr, NULL), 0);
	refused(attr, EBUSY, "another event");
	pmu_event_close(&event);
	assert_int_equal(rig_open(&event, &attr, NULL), 0);
	pmu_event_close(&event);
	rig.host.step = NULL;
	refused(attr, ENOENT, "single-steps");
}

/* --- Its name --- */

static void parsed(const char *text, uint64_t config)
{
	struct pmu_event_spec spec;
	struct pmu_parse_error error;

	if (pmu_parse_events(text, &spec, 1, &error) != 1)
		fail_msg("%s: %s", text, error.text);
	assert_int_equal(spec.attr.type, PMU_TYPE_STEP_TRACE);
	assert_true(spec.attr.config == config);
	assert_string_equal(spec.name, text);
}

static void not_parsed(const char *text, size_t column, const char *why)
{
	struct pmu_event_spec spec;
	struct pmu_parse_error error;

	assert_int_equal(pmu_parse_events(text, &spec, 1, &error), -EINVAL);
	if (error.column != column || !strstr(error.text, why))
		fail_msg("%s: column %zu: %s", text, error.column, error.text);
}

static void test_names(void **state)
{
	(void)state;
	parsed("step_trace//", 0x2c01);
	parsed("step_trace//u", 0x2c01);
	parsed("step_trace/tsc=0/u", 0x2801);
	parsed("step_trace/tsc,psb_period=3/u", 0x3002c01);
	parsed("step_trace/config=0x2801/u", 0x2801);
	not_parsed("step_trace/cyc/u", 12, "no term 'cyc'");
	not_parsed("step_trace/psb_period/", 22, "'=' is missing");
	not_parsed("step_trace/psb_period=16/", 23, "psb_period");
	not_parsed("step_trace/tsc", 15, "missing");
	not_parsed("step_trace/tsc,/", 16, "a term is missing");
	not_parsed("step_trace", 1, "step_trace");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_branches),
		cmocka_unit_test(test_system_calls),
		cmocka_unit_test(test_interrupts),
		cmocka_unit_test(test_time),
		cmocka_unit_test(test_full_area),
		cmocka_unit_test(test_goes_on_after_a_drain),
		cmocka_unit_test(test_psb_period),
		cmocka_unit_test(test_overwrite),
		cmocka_unit_test(test_full_ring),
		cmocka_unit_test(test_counts_alone),
		cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_no_room_for_a_turn),
		cmocka_unit_test(test_a_gap_is_partial),
		cmocka_unit_test(test_between),
		cmocka_unit_test(test_between_without_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
