// SPDX-License-Identifier: BSD-2-Clause
/* bench_functions.c - see perf0_bench.h: measures calls of functions as code. */
#include "bench/complain.h"
#include "bench/bench_measure.h"
#include "bench/perf0_bench.h"
#include "bench/bench_sys.h"

#include <stdbool.h>

#define CALL_BYTES 22
#define DIGITS     20

/* The ends of the section, by the linker; absent where it is empty. */
extern const struct perf0_bench *const __start_perf0_benches[] __attribute__((weak));
extern const struct perf0_bench *const __stop_perf0_benches[] __attribute__((weak));

static void do_nothing(uint64_t arg)
{
	(void)arg;
}

/* MOV RDI, arg; MOV RAX, fn; CALL RAX. */
static void encode_call(uint8_t code[CALL_BYTES], void (*fn)(uint64_t arg), uint64_t arg)
{
	const uint64_t to = (uint64_t)fn;
	static const uint8_t mov_rdi[] = {0x48, 0xbf}, mov_rax[] = {0x48, 0xb8},
			     call_rax[] = {0xff, 0xd0};

	__builtin_memcpy(code, mov_rdi, 2);
	__builtin_memcpy(code + 2, &arg, 8);
	__builtin_memcpy(code + 10, mov_rax, 2);
	__builtin_memcpy(code + 12, &to, 8);
	__builtin_memcpy(code + 20, call_rax, 2);
}

static void measure_call(struct bench *b, void (*fn)(uint64_t arg), uint64_t arg, int sign)
{
	uint8_t bytes[CALL_BYTES];
	const struct bench_code code = {.code = {bytes, sizeof(bytes)}};

	encode_call(bytes, fn, arg);
	measure_code(b, &code, sign);
}

/* "name", or "name/arg" where there are several. */
static void write_bench_name(char name[BENCH_NAME_MAX + 1], const struct perf0_bench *bench,
			     uint64_t arg)
{
	const bool numbered = bench->first != bench->last;
	char digits[DIGITS + 1] = "";
	unsigned at = DIGITS, n = 0;

	do
		digits[--at] = (char)('0' + arg % 10);
	while (arg /= 10);
	while (n < BENCH_NAME_MAX - DIGITS - 1 && bench->name[n]) {
		name[n] = bench->name[n];
		n++;
	}
	if (numbered)
		name[n++] = '/';
	while (numbered && digits[at])
		name[n++] = digits[at++];
	name[n] = '\0';
}

static void trace_call(struct bench *b, void (*fn)(uint64_t arg), uint64_t arg, const char *name)
{
	uint8_t bytes[CALL_BYTES];
	const struct bench_code code = {.code = {bytes, sizeof(bytes)}};

	encode_call(bytes, fn, arg);
	measure_trace(b, &code, name);
}

static const uint32_t roles[] = {
	[PERF0_BENCH_CALL] = BENCH_STREAM,
	[PERF0_BENCH_LATENCY] = BENCH_CHAIN,
	[PERF0_BENCH_BYTES] = BENCH_BYTES,
};

static uint32_t total; /* results of this run */

static void measure_arg(struct bench *b, const struct perf0_bench *bench, uint64_t arg)
{
	const bool traces = b->settings.flags & BENCH_TRACE;
	struct bench_result result = {
		.role = roles[bench->unit], .total = total, .bytes = (uint32_t)bench->bytes};
	char name[BENCH_NAME_MAX + 1];

	write_bench_name(name, bench, arg);
	if (bench->setup)
		bench->setup(arg);
	if (traces) {
		trace_call(b, bench->run, arg, name);
	} else {
		measure_call(b, bench->run, arg, 1);
		measure_call(b, bench->against ? bench->against : do_nothing, arg, -1);
	}
	if (bench->teardown)
		bench->teardown(arg);
	if (!traces)
		measure_hand_in_as(b, name, bench->each ? bench->each : 1, &result);
}

static bool begins(const char *name, const char *with)
{
	while (*with && *with == *name) {
		with++;
		name++;
	}
	return !*with;
}

static bool is_same_name(const char *a, const char *b)
{
	return begins(a, b) && begins(b, a);
}

/* The printed name begins with one of the words. */
static bool is_chosen(const struct perf0_bench *bench, uint64_t arg, int argc, char **argv)
{
	char name[BENCH_NAME_MAX + 1];

	write_bench_name(name, bench, arg);
	for (int i = 1; i < argc; i++)
		if (begins(name, argv[i]))
			return true;
	return argc < 2;
}

/* The arg after `arg`; a smaller or equal one: there is none. */
static uint64_t next_arg(const struct perf0_bench *bench, uint64_t arg)
{
	if (bench->factor)
		return arg * bench->factor;
	return arg + (bench->step ? bench->step : 1);
}

/* The bench after `last` in the file, or the first one (NULL); NULL: there is none. The compiler
 * has them in an order of its own. */
static const struct perf0_bench *next_bench(const struct perf0_bench *last)
{
	const struct perf0_bench *next = NULL;

	for (const struct perf0_bench *const *at = __start_perf0_benches;
	     at != __stop_perf0_benches; at++)
		if ((!last || (*at)->line > last->line) && (!next || (*at)->line < next->line))
			next = *at;
	return next;
}

typedef void arg_fn(struct bench *b, const struct perf0_bench *bench, uint64_t arg);

static void count_arg(struct bench *b, const struct perf0_bench *bench, uint64_t arg)
{
	(void)b;
	(void)bench;
	(void)arg;
	total++;
}

/* Calls `fn` for each chosen bench, and each of its args. */
static void each_bench(struct bench *b, int argc, char **argv, arg_fn *fn)
{
	const struct perf0_bench *bench = NULL;

	while ((bench = next_bench(bench))) {
		uint64_t arg = bench->first, last;

		do {
			if (is_chosen(bench, arg, argc, argv))
				fn(b, bench, arg);
			last = arg;
			arg = next_arg(bench, arg);
		} while (arg > last && arg <= bench->last);
	}
}

/* --- For the gate --- */

__attribute__((noinline)) void perf0_bench_begins(void)
{
	PERF0_KEEP(0);
}

__attribute__((noinline)) void perf0_bench_ends(void)
{
	PERF0_KEEP(0);
}

static void print_arg(struct bench *b, const struct perf0_bench *bench, uint64_t arg)
{
	char name[BENCH_NAME_MAX + 1];

	(void)b;
	write_bench_name(name, bench, arg);
	sys_print(1, name);
	sys_print(1, "\n");
}

/* Its own frame is the one that begins and ends are counted in: no call in it is a tail call. */
__attribute__((noinline)) static void call_once(void (*fn)(uint64_t arg), uint64_t arg)
{
	perf0_bench_begins();
	fn(arg);
	perf0_bench_ends();
	PERF0_KEEP(arg);
}

static const char *once; /* the printed name of the function that is called once */

static void call_arg(struct bench *b, const struct perf0_bench *bench, uint64_t arg)
{
	char name[BENCH_NAME_MAX + 1];

	(void)b;
	write_bench_name(name, bench, arg);
	if (!is_same_name(name, once))
		return;
	total++;
	if (bench->setup)
		bench->setup(arg);
	call_once(bench->run, arg);
	if (bench->teardown)
		bench->teardown(arg);
}

/* Returns whether the arguments are the gate's. */
static bool answer_gate(int argc, char **argv)
{
	if (argc == 2 && is_same_name(argv[1], "--perf0-list")) {
		each_bench(NULL, 1, argv, print_arg);
		return true;
	}
	if (argc != 3 || !is_same_name(argv[1], "--perf0-run"))
		return false;
	once = argv[2];
	each_bench(NULL, 1, argv, call_arg);
	if (!total)
		fail(STATUS_USAGE, "the program has no PERF0_BENCH() of that name");
	return true;
}

int perf0_bench_main(int argc, char **argv)
{
	static struct bench b;

	if (answer_gate(argc, argv))
		return 0;
	measure_begin(&b);
	each_bench(&b, argc, argv, count_arg);
	if (!total)
		fail(STATUS_USAGE, "the program has no PERF0_BENCH() of that name");
	each_bench(&b, argc, argv, measure_arg);
	return 0;
}
