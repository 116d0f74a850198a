// SPDX-License-Identifier: BSD-2-Clause
/*
 * bench_trace_run.c - measure_trace() of bench_measure.h. Each run counts from the same start up to
 * one cycle. Functions without a copy of the code measure the harness's own work between the start
 * of counting and the code. The cost of late init and of draining the front end is the difference
 * between a function with them and one without. The cost of restoring ring 0's registers comes from
 * one that restores them twice. The WRMSR that starts counting is assumed not to be counted. The
 * number of retired instructions then shows where the code begins and ends.
 */
#include "bench/complain.h"
#include "bench/bench_function.h"
#include "bench/bench_sys.h"

#include <asm/errno.h>
#include <stdbool.h>
#include <stddef.h>

#define ATTEMPTS 1000 /* at a run without an interruption */
#define FEW      20   /* measurements of a search, not handed in */

struct trace {
	struct bench *b;
	struct function none;        /* no copy of the code, */
	struct function bare, twice; /* nor late init, and it puts registers back once, and twice */
	struct function all;
	uint64_t bytes; /* of memory, from the context on */
	/* For each event: the count before the code, and the count of the code. */
	int64_t before[BENCH_EVENTS_MAX], code[BENCH_EVENTS_MAX];
	uint64_t n;      /* measurements that were made last */
	int64_t *sorted; /* room for those of one event */
	uint64_t by_nmi; /* of the last measurements */
	struct bench_trace told;
};

/* --- Runs --- */

static void run_until_stop(const struct trace *t, const struct function *f, uint64_t after,
			   struct bench_stopped *stopped)
{
	const struct bench_stop stop = {.after = after,
					.start = (uint64_t)f->places.start,
					.stop = (uint64_t)f->places.stop};

	for (unsigned i = 0; i < ATTEMPTS; i++) {
		long err = sys_bench_stop(&stop);

		if (!err) {
			function_run(t->b, f);
			err = sys_bench_stopped(stopped);
		}
		if (!err)
			return;
		if (err != -EAGAIN)
			fail(STATUS_FAILED, "the code did not come to its end");
	}
	fail(STATUS_FAILED, "something else took the counters in each run");
}

/* Measurements of one cycle, or of all; the values are those of the events. */
static void run_times(struct trace *t, const struct function *f, uint64_t after, uint64_t times)
{
	const unsigned n = t->b->shape.ncounters;
	int64_t *value = t->b->values;
	struct bench_stopped stopped;

	t->by_nmi = 0;
	t->n = times;
	for (uint64_t m = 0; m < times; m++) {
		run_until_stop(t, f, after, &stopped);
		t->by_nmi += stopped.by == BENCH_STOPPED_BY_NMI;
		for (unsigned i = 0; i < n; i++)
			*value++ = (int64_t)stopped.value[i];
	}
}

static void run_few(struct trace *t, const struct function *f, uint64_t after)
{
	const uint64_t n = t->b->settings.measurements;

	run_times(t, f, after, n < FEW ? n : FEW);
}

static void warm_up(const struct trace *t, const struct function *f, uint64_t times)
{
	struct bench_stopped ignored;

	watched_copies(f->places.copies, t->b->shape.code.n, f->n);
	while (times--)
		run_until_stop(t, f, 0, &ignored);
}

/* --- Figures --- */

static void sort(int64_t *value, uint64_t n)
{
	for (uint64_t gap = n / 2; gap; gap = gap == 2 ? 1 : gap * 5 / 11)
		for (uint64_t i = gap; i < n; i++) {
			const int64_t v = value[i];
			uint64_t at = i;

			for (; at >= gap && value[at - gap] > v; at -= gap)
				value[at] = value[at - gap];
			value[at] = v;
		}
}

static int64_t median_of(const struct trace *t, unsigned event)
{
	for (uint64_t m = 0; m < t->n; m++)
		t->sorted[m] = t->b->values[m * t->b->shape.ncounters + event];
	sort(t->sorted, t->n);
	return t->sorted[t->n / 2];
}

static int64_t retired_at(struct trace *t, uint64_t cycle)
{
	run_few(t, &t->all, cycle);
	return median_of(t, t->b->settings.instructions);
}

/* The first cycle up to `last` at which so many instructions have retired. */
static uint64_t find_cycle(struct trace *t, uint64_t first, uint64_t last, int64_t instructions)
{
	while (first < last) {
		const uint64_t middle = first + (last - first) / 2;

		if (retired_at(t, middle) >= instructions)
			last = middle;
		else
			first = middle + 1;
	}
	return first;
}

/* The counts of `f` from start to end: the median of each event. */
static void measure_whole(struct trace *t, const struct function *f,
			  int64_t whole[BENCH_EVENTS_MAX])
{
	warm_up(t, f, t->b->settings.warm_ups);
	run_few(t, f, 0);
	for (unsigned i = 0; i < t->b->shape.ncounters; i++)
		whole[i] = median_of(t, i);
}

static void add_master(struct trace *t, const int64_t *bare)
{
	int64_t twice[BENCH_EVENTS_MAX];

	measure_whole(t, &t->twice, twice);
	for (unsigned i = 0; i < t->b->shape.ncounters; i++)
		t->before[i] += twice[i] - bare[i];
}

static void measure_all(struct trace *t, int64_t all[BENCH_EVENTS_MAX])
{
	int64_t none[BENCH_EVENTS_MAX], bare[BENCH_EVENTS_MAX];

	measure_whole(t, &t->none, none);
	measure_whole(t, &t->bare, bare);
	for (unsigned i = 0; i < t->b->shape.ncounters; i++)
		t->before[i] = none[i] - bare[i];
	if (t->b->settings.master)
		add_master(t, bare);
	measure_whole(t, &t->all, all);
	for (unsigned i = 0; i < t->b->shape.ncounters; i++)
		t->code[i] = all[i] - none[i];
}

/* --- The range --- */

/* In a run that is not stopped, all of the code has retired, whatever range is asked for. */
static void find_code(struct trace *t, uint64_t cycles)
{
	const struct bench_settings *s = &t->b->settings;
	const int64_t before = t->before[s->instructions], code = t->code[s->instructions];
	const uint64_t last = cycles + 1;

	if (code <= 0)
		fail(STATUS_USAGE, "--trace: the code has no instruction that retires");
	t->told.before = (uint64_t)before;
	t->told.instructions = (uint64_t)code;
	t->told.begin = s->known ? s->begin : find_cycle(t, 1, last, before + 1) - 1;
	t->told.end = (s->to ? last : find_cycle(t, t->told.begin + 1, last, before + code)) -
		      t->told.begin;
}

/* Takes the counts with all of the harness's work, from the start to the end of counting. */
static void take_whole(struct trace *t, const int64_t *all)
{
	for (unsigned i = 0; i < t->b->shape.ncounters; i++) {
		t->before[i] = 0;
		t->code[i] = all[i];
	}
	t->told.instructions = (uint64_t)all[t->b->settings.instructions];
	t->told.end = find_cycle(t, 1, (uint64_t)all[t->b->settings.clock] + 1,
				 all[t->b->settings.instructions]);
}

static void check_trace_range(const struct trace *t)
{
	if (t->told.from > t->told.end)
		fail(STATUS_USAGE, "--trace: the code has ended before the first of these cycles");
	if (t->told.to - t->told.from < BENCH_CYCLES_MOST)
		return;
	if (t->b->settings.to)
		fail(STATUS_USAGE,
		     "--trace: a trace has 100,000 cycles at most, and these are more");
	fail(STATUS_USAGE,
	     "--trace: the code takes more than the 100,000 cycles that a trace may have: "
	     "--trace=FROM-TO");
}

static void tell_range(struct trace *t, const char *name)
{
	const struct bench_settings *s = &t->b->settings;

	t->told.from = s->from ? s->from : 1;
	t->told.to = s->to ? s->to : t->told.end;
	check_trace_range(t);
	for (unsigned i = 0; i < BENCH_NAME_MAX && name[i]; i++)
		t->told.name[i] = name[i];
	switch (sys_bench_trace(&t->told)) {
	case 0:
		return;
	case -EBUSY:
		fail(STATUS_USAGE,
		     "--trace: it is of one function and one argument: name them, as in "
		     "'sum'");
	default:
		fail(STATUS_FAILED, "--trace: there is no memory for so many cycles");
	}
}

/* --- Results --- */

/* Subtracts the counts before the code and, once all of the code has retired, behind it. */
static void leave_code(const struct trace *t, int64_t *value)
{
	const struct bench_settings *s = &t->b->settings;
	const bool ended =
		value[s->instructions] - t->before[s->instructions] >= t->code[s->instructions];

	for (unsigned i = 0; i < s->nevents; i++) {
		value[i] -= i == s->clock ? (int64_t)t->told.begin : t->before[i];
		if (ended && i != s->clock && value[i] > t->code[i])
			value[i] = t->code[i];
	}
}

static void hand_in_cycle(struct trace *t, uint64_t cycle)
{
	struct bench *b = t->b;
	const struct bench_result result = {
		.version = BENCH_VERSION,
		.nevents = b->settings.nevents,
		.measurements = b->settings.measurements,
		.times = 1,
		.values = (uint64_t)b->values,
		.cycle = cycle,
		.by_nmi = t->by_nmi,
	};

	for (uint64_t m = 0; m < b->settings.measurements; m++)
		leave_code(t, b->values + m * b->settings.nevents);
	if (sys_bench_result(&result))
		fail(STATUS_FAILED, "the results were not taken");
}

static void trace_range(struct trace *t)
{
	for (uint64_t cycle = t->told.from; cycle <= t->told.to; cycle++) {
		run_times(t, &t->all, t->told.begin + cycle, t->b->settings.measurements);
		hand_in_cycle(t, cycle);
	}
}

/* --- Setting up --- */

static struct function make_bare(struct bench *b, uint8_t **at, bool twice)
{
	const struct emit_shape shape = b->shape;
	struct function f;

	b->shape.late_init.n = 0;
	b->shape.drains = false;
	b->shape.restores_twice = twice;
	f = function_make(b, at, 0);
	b->shape = shape;
	return f;
}

static void make_functions(struct trace *t)
{
	struct bench *b = t->b;
	uint8_t *at;

	function_check_bytes(b->shape.code.n * b->settings.copies);
	b->shape.copies = b->settings.copies;
	t->bytes = 2 * PAGE + 4 * emit_room(&b->shape);
	b->context = function_map(t->bytes);
	for (unsigned i = 0; i < EMIT_AREAS; i++)
		b->context->areas[i] = b->areas[i];
	at = (uint8_t *)b->context + PAGE;
	t->none = function_make(b, &at, 0);
	t->bare = make_bare(b, &at, false);
	t->twice = make_bare(b, &at, true);
	t->all = function_make(b, &at, b->settings.copies);
	if (sys_protect_code((uint64_t)b->context + PAGE, t->bytes - PAGE))
		fail(STATUS_FAILED, "the code cannot be made executable");
	t->sorted = function_map(b->settings.measurements * sizeof(int64_t));
}

void measure_trace(struct bench *b, const struct bench_code *code, const char *name)
{
	int64_t all[BENCH_EVENTS_MAX];
	struct trace t = {.b = b};

	if (b->settings.flags & BENCH_NO_MEM && emit_switches(&code->code))
		fail(STATUS_USAGE,
		     "--trace: the code stops counting by itself, by nanoBench's bytes");
	b->shape = function_shape(b, code);
	make_functions(&t);
	warm_up(&t, &t.none, b->settings.initial_warm_ups);
	measure_all(&t, all);
	if (b->settings.flags & BENCH_WHOLE)
		take_whole(&t, all);
	else
		find_code(&t, (uint64_t)all[b->settings.clock]);
	tell_range(&t, name);
	trace_range(&t);
	sys_unmap((uint64_t)b->context, t.bytes);
	sys_unmap((uint64_t)t.sorted, b->settings.measurements * sizeof(int64_t));
}
