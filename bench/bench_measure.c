// SPDX-License-Identifier: BSD-2-Clause
/* bench_measure.c - see bench_measure.h. */
#include "bench/bench_measure.h"

#include "bench/complain.h"
#include "bench/bench_function.h"
#include "bench/bench_sys.h"
#include "include/perf0/layout.h"
#include "include/perf0/selfread.h"

#define LARGE (2ull << 20)
#define LINE  64ull

/* --- Memory --- */

void *function_map(uint64_t bytes)
{
	const long at = sys_map(bytes);

	if (at < 0)
		fail(STATUS_FAILED, "there is no memory for the code");
	return (void *)at;
}

/* The areas are large pages, each contiguous in physical memory. All of them are touched, so that
 * no run meets a page fault. */
static void make_areas(struct bench *b)
{
	const uint64_t bytes = (EMIT_AREAS * BENCH_AREA_BYTES + LARGE - 1) & ~(LARGE - 1);
	uint64_t at = (uint64_t)function_map(bytes + LARGE);

	at = (at + LARGE - 1) & ~(LARGE - 1);
	sys_large_pages(at, bytes);
	for (uint64_t page = 0; page < bytes; page += PAGE)
		*(volatile uint8_t *)(at + page) = 0;
	for (unsigned i = 0; i < EMIT_AREAS; i++)
		b->areas[i] = at + i * BENCH_AREA_BYTES + BENCH_AREA_BYTES / 2;
}

/* --- Counters --- */

static const volatile struct perf_event_mmap_page *event_page(unsigned i)
{
	return (const void *)(WORKLOAD_EVENTS + i * PAGE);
}

static void find_counters(struct emit_shape *shape, unsigned nevents)
{
	shape->ncounters = nevents;
	for (unsigned i = 0; i < nevents; i++) {
		const uint32_t index = event_page(i)->index;

		if (!index)
			fail(STATUS_FAILED, "an event is on no counter");
		shape->counter[i] = index - 1;
	}
}

/* Each event has the same counter as when the code was made. */
static bool are_counters_kept(const struct emit_shape *shape)
{
	for (unsigned i = 0; i < shape->ncounters; i++)
		if (event_page(i)->index != shape->counter[i] + 1)
			return false;
	return true;
}

/* --- Runs --- */

void function_run(const struct bench *b, const struct function *f)
{
	struct bench_fault fault = {.vector = UINT64_MAX};

	if (!(b->settings.flags & BENCH_RING0))
		f->fn();
	else if (sys_bench_call((uint64_t)f->fn, &fault))
		fail_by_fault(&fault);
}

/* The count of an event in one run: counters have fewer than 64 bits. */
static int64_t counted(const struct bench *b, unsigned i)
{
	const uint64_t before = b->shape.no_mem ? 0 : b->context->before[i];

	return (int64_t)selfread_signed(b->context->after[i] - before, event_page(i)->pmc_width);
}

/* `sign`: whether counts are added to the values or subtracted. */
static void measure_function(struct bench *b, const struct function *f, int sign)
{
	int64_t *value = b->values;

	watched_copies(f->places.copies, b->shape.code.n, f->n);
	for (uint64_t i = 0; i < b->settings.warm_ups; i++)
		function_run(b, f);
	for (uint64_t m = 0; m < b->settings.measurements; m++) {
		function_run(b, f);
		for (unsigned i = 0; i < b->shape.ncounters; i++)
			*value++ += sign * counted(b, i);
	}
}

struct function function_make(struct bench *b, uint8_t **at, uint64_t copies)
{
	uint8_t *const start = (uint8_t *)(((uint64_t)*at + LINE - 1) & ~(LINE - 1));
	struct function f = {.fn = (void (*)(void))(uintptr_t)start, .n = copies};
	size_t n;

	b->shape.copies = copies;
	n = emit_function(start, emit_room(&b->shape), b->context, &b->shape, &f.places);
	if (!n)
		fail(STATUS_USAGE, "--no-mem has registers for six events, R8 to R13");
	*at = start + n;
	return f;
}

/* The two functions: fewer copies of the code, and more of them. */
struct pair {
	struct function fewer, more;
	uint64_t bytes; /* of memory, from the context on */
};

void function_check_bytes(uint64_t bytes)
{
	if (bytes > BENCH_CODE_BYTES_MOST)
		fail(STATUS_USAGE, "all copies together have more than 16 MiB: -unroll_count");
}

static uint64_t code_bytes(const struct bench *b)
{
	return b->shape.code.n * b->settings.copies * (b->settings.flags & BENCH_BASIC ? 1 : 2);
}

/* The code follows the context's page, and is not writable once it is complete. */
static struct pair make_pair(struct bench *b)
{
	const uint64_t copies = b->settings.copies;
	const bool basic = b->settings.flags & BENCH_BASIC;
	struct pair pair;
	uint8_t *at;

	function_check_bytes(code_bytes(b));
	b->shape.copies = basic ? copies : 3 * copies;
	pair.bytes = 2 * PAGE + 2 * emit_room(&b->shape);
	b->context = function_map(pair.bytes);
	for (unsigned i = 0; i < EMIT_AREAS; i++)
		b->context->areas[i] = b->areas[i];
	at = (uint8_t *)b->context + PAGE;
	pair.fewer = function_make(b, &at, basic ? 0 : copies);
	pair.more = function_make(b, &at, basic ? copies : 2 * copies);
	if (sys_protect_code((uint64_t)b->context + PAGE, pair.bytes - PAGE))
		fail(STATUS_FAILED, "the code cannot be made executable");
	return pair;
}

/* --- Public functions --- */

void measure_begin(struct bench *b)
{
	*b = (struct bench){.settings = {.version = BENCH_VERSION}};
	if (sys_bench_settings(&b->settings))
		fail(STATUS_USAGE, "this program is measured by perf0: `perf0 bench FILE`, or "
				   "`bench FILE` at perf0's prompt");
	if (b->settings.flags & BENCH_PINNED && sys_run_on(b->settings.cpu))
		fail(STATUS_FAILED, "the CPU is not to be had");
	b->nvalues = b->settings.measurements * b->settings.nevents;
	b->values = function_map(b->nvalues * sizeof(int64_t));
	make_areas(b);
	watch_code();
}

struct emit_shape function_shape(const struct bench *b, const struct bench_code *code)
{
	struct emit_shape shape = {
		.code = code->code,
		.init = code->init,
		.late_init = code->late_init,
		.turns = b->settings.turns,
		.offset = (unsigned)b->settings.offset,
		.no_mem = b->settings.flags & BENCH_NO_MEM,
		.drains = b->settings.flags & BENCH_DRAIN,
		.traces = b->settings.flags & BENCH_TRACE,
		.master = b->settings.master,
		.master_on = b->settings.master_on,
		.master_off = b->settings.master_off,
	};

	find_counters(&shape, b->settings.nevents);
	return shape;
}

void measure_code(struct bench *b, const struct bench_code *code, int sign)
{
	struct pair pair;

	b->shape = function_shape(b, code);
	pair = make_pair(b);
	watched_copies(pair.fewer.places.copies, b->shape.code.n, pair.fewer.n);
	for (uint64_t i = 0; i < b->settings.initial_warm_ups; i++)
		function_run(b, &pair.fewer);
	measure_function(b, &pair.fewer, -sign);
	measure_function(b, &pair.more, sign);
	if (!are_counters_kept(&b->shape))
		fail(STATUS_FAILED, "an event has left its counter meanwhile");
	sys_unmap((uint64_t)b->context, pair.bytes);
}

void measure_run_once(struct bench *b, const struct emit_bytes *code)
{
	struct emit_shape shape = {.code = *code, .copies = 1};
	const uint64_t bytes = 2 * PAGE + emit_room(&shape);
	struct emit_context *context = function_map(bytes);
	uint8_t *const at = (uint8_t *)context + PAGE;
	struct function f = {.fn = (void (*)(void))(uintptr_t)at};

	for (unsigned i = 0; i < EMIT_AREAS; i++)
		context->areas[i] = b->areas[i];
	emit_function(at, emit_room(&shape), context, &shape, &f.places);
	sys_protect_code((uint64_t)at, bytes - PAGE);
	watched_copies(f.places.copies, shape.code.n, shape.copies);
	function_run(b, &f);
	sys_unmap((uint64_t)context, bytes);
}

void measure_hand_in(struct bench *b, const char *name)
{
	struct bench_result result = {.role = BENCH_PLAIN};

	measure_hand_in_as(b, name, 1, &result);
}

void measure_hand_in_as(struct bench *b, const char *name, uint64_t each,
			struct bench_result *result)
{
	result->version = BENCH_VERSION;
	result->nevents = b->settings.nevents;
	result->measurements = b->settings.measurements;
	result->times = b->settings.copies * (b->settings.turns ? b->settings.turns : 1) * each;
	result->values = (uint64_t)b->values;
	for (unsigned i = 0; i < BENCH_NAME_MAX && name[i]; i++)
		result->name[i] = name[i];
	if (sys_bench_result(result))
		fail(STATUS_FAILED, "the results were not taken");
	for (uint64_t i = 0; i < b->nvalues; i++)
		b->values[i] = 0;
}
