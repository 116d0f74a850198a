/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fuzz_calls.h - what fuzz.c decides by its seed: numbers, addresses, and system calls with both.
 */
#ifndef TESTS_FUZZ_CALLS_H
#define TESTS_FUZZ_CALLS_H

#include "apps/workloads/crt.h"
#include "apps/workloads/line.h"
#include "include/perf0/task.h"
#include "include/perf0/user.h"

#include <linux/errno.h>
#include <stdbool.h>
#include <stddef.h>

#define VECTORS       32
#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

/* Of the heap: what is thrown about, and the stack of the handler. */
#define SCRATCH       WORKLOAD_HEAP
#define SCRATCH_BYTES (256u << 10)
#define HANDLER_STACK (WORKLOAD_HEAP + (1u << 20) - 8)

static struct {
	uint64_t random;
	uint64_t tries;
	uint64_t answered, refused; /* system calls: 0 or above, below */
	uint64_t executed;          /* instructions and accesses that were let through */
	uint64_t faults[VECTORS];
	uint64_t entry; /* workload_fuzz() */
	void *go_on[5]; /* where, after a fault: __builtin_setjmp() */
} fuzz;

/* xorshift64*: Marsaglia, "Xorshift RNGs"; Vigna, "An experimental exploration". */
static inline uint64_t any_number(void)
{
	uint64_t x = fuzz.random;

	x ^= x >> 12;
	x ^= x << 25;
	x ^= x >> 27;
	fuzz.random = x;
	return x * 0x2545f4914f6cdd1d;
}

static inline uint64_t any_below(uint64_t n)
{
	return (any_number() >> 16) % n;
}

static inline bool one_in(uint64_t n)
{
	return !any_below(n);
}

/* --- Addresses and numbers --- */

static inline uint64_t own_code(void)
{
	return fuzz.entry & ~4095ull;
}

/* Never the program's own data or stack. */
static inline uint64_t any_address(void)
{
	static const uint64_t edges[] = {
		WORKLOAD_HEAP + WORKLOAD_HEAP_BYTES,
		WORKLOAD_HEAP,
		WORKLOAD_BASE,
		WORKLOAD_BASE + (1ull << 39),
		WORKLOAD_EVENTS,
		WORKLOAD_STACK_TOP + 4096,
		0x0000800000000000,
		0xffff800000000000,
		0xffffffff80000000,
		0xffffffffff600000,
		0xfee00000,
		0xfed00000,
		0,
		0x100000,
		0xffffffffffffffff,
	};

	switch (any_below(8)) {
	case 0:
		return any_below(1 << 16);
	case 1:
		return edges[any_below(LENGTH(edges))] - 16 + any_below(32);
	case 2:
		return any_below(1ull << 32);
	case 3:
		return PERF_RINGS + any_below(PERF_HANDLES_MAX + 1) * PERF_RINGS_STRIDE +
		       any_below(9 << 12);
	case 4:
		return any_number();
	case 5:
		return own_code() + any_below(4096);
	default:
		return SCRATCH + any_below(SCRATCH_BYTES);
	}
}

static inline uint64_t any_argument_number(void)
{
	switch (any_below(6)) {
	case 0:
		return any_below(80);
	case 1:
		return 1ull << any_below(64);
	case 2:
		return (1ull << any_below(64)) - 1;
	case 3:
		return -any_below(80);
	case 4:
		return any_number();
	default:
		return any_below(1 << 20);
	}
}

static inline uint64_t any_argument(void)
{
	return one_in(2) ? any_address() : any_argument_number();
}

static inline uint64_t any_handle(void)
{
	return one_in(16) ? any_argument_number() : any_below(PERF_HANDLES_MAX / 4);
}

static inline void *any_bytes(size_t bytes)
{
	uint64_t *at = (uint64_t *)(SCRATCH + any_below((SCRATCH_BYTES - bytes) / 8) * 8);

	for (size_t i = 0; i < bytes / 8; i++)
		at[i] = any_number();
	return at;
}

/* --- System calls --- */

/* Events that are right, or nearly so. */
static inline struct perf_event_attr any_attr(void)
{
	static const struct {
		uint32_t type;
		uint64_t configs;
		uint64_t period;
	} kinds[] = {
		{PERF_TYPE_HARDWARE, 10, 20000}, {PERF_TYPE_SOFTWARE, 12, 100000},
		{PERF_TYPE_TRACEPOINT, 64, 1},   {PERF_TYPE_HW_CACHE, 8, 20000},
		{PERF_TYPE_RAW, 0x100, 20000},   {PERF_TYPE_BREAKPOINT, 1, 1},
	};
	const unsigned kind = (unsigned)any_below(LENGTH(kinds));
	struct perf_event_attr a = {
		.type = kinds[kind].type,
		.size = sizeof(a),
		.config = any_below(kinds[kind].configs),
		.sample_period = one_in(2) ? kinds[kind].period : 0,
		.sample_type = one_in(4) ? any_number() & any_number() & ((1u << 25) - 1)
					 : PERF_SAMPLE_IP | (any_number() & 0x1c6),
		.read_format = any_number() & any_number() & 0x1f,
		.disabled = any_number(),
		.inherit = one_in(8),
		.pinned = one_in(8),
		.exclusive = one_in(8),
		.exclude_kernel = !one_in(16),
		.mmap = any_number(),
		.comm = any_number(),
		.task = any_number(),
		.sample_id_all = any_number(),
		.write_backward = one_in(8),
	};

	if (a.type == PERF_TYPE_BREAKPOINT) {
		a.bp_type = (uint32_t)any_below(8);
		a.bp_addr = any_address();
		a.bp_len = 1u << any_below(5);
	}
	return a;
}

/* Bits of `bytes` at `from` turn over, more often none. */
static inline void mutate(void *from, size_t bytes)
{
	uint8_t *at = from;

	for (uint64_t n = any_below(3) ? 0 : 1 + any_below(8); n; n--)
		at[any_below(bytes)] ^= (uint8_t)(1u << any_below(8));
}

/* A clock or counter that samples all the time leaves no time for anything else. */
static inline void calm_down(struct perf_event_attr *a)
{
	if (a->freq)
		a->sample_freq &= 1023;
	else if (a->sample_period && a->type != PERF_TYPE_TRACEPOINT &&
		 a->type != PERF_TYPE_BREAKPOINT)
		a->sample_period |= 0x4000;
}

static inline long fuzz_open(void)
{
	struct {
		struct perf_event_attr attr;
		uint64_t behind;
	} *a = any_bytes(sizeof(*a));
	struct perf_open *open = any_bytes(sizeof(*open));

	a->attr = any_attr();
	mutate(&a->attr, sizeof(a->attr));
	calm_down(&a->attr);
	*open = (struct perf_open){
		.attr = one_in(32) ? (void *)any_address() : &a->attr,
		.task = one_in(16) ? (int)any_argument_number() : 0,
		.cpu = one_in(16) ? (int)any_argument_number() : -1,
		.group = one_in(8) ? (int)any_handle() : -1,
		.flags = one_in(16) ? (uint32_t)any_argument_number() : 0,
	};
	return perf_syscall(PERF_SYS_OPEN, one_in(32) ? any_address() : (uint64_t)open,
			    any_argument(), any_argument());
}

static inline long fuzz_ioctl(void)
{
	static const uint32_t requests[] = {
		PERF_EVENT_IOC_ENABLE,       PERF_EVENT_IOC_DISABLE,
		PERF_EVENT_IOC_RESET,        PERF_EVENT_IOC_REFRESH,
		PERF_EVENT_IOC_PERIOD,       PERF_EVENT_IOC_ID,
		PERF_EVENT_IOC_SET_OUTPUT,   PERF_EVENT_IOC_SET_FILTER,
		PERF_EVENT_IOC_PAUSE_OUTPUT, PERF_EVENT_IOC_SET_BPF,
		PERF_EVENT_IOC_QUERY_BPF,    PERF_EVENT_IOC_MODIFY_ATTRIBUTES,
	};
	uint32_t request = requests[any_below(LENGTH(requests))];
	uint64_t arg = any_argument();

	if (request == PERF_EVENT_IOC_SET_OUTPUT)
		arg = any_handle();
	if (request == PERF_EVENT_IOC_ENABLE || request == PERF_EVENT_IOC_DISABLE)
		arg = one_in(4) ? arg : any_below(2);
	if (request == PERF_EVENT_IOC_PERIOD && !one_in(8)) {
		uint64_t *period = any_bytes(sizeof(*period));

		*period |= 0x4000;
		arg = (uint64_t)period;
	}
	return perf_event_ioctl((long)any_handle(), one_in(16) ? any_argument_number() : request,
				arg);
}

static inline long fuzz_mmap(void)
{
	const uint64_t pages = one_in(8)   ? any_argument_number()
			       : one_in(4) ? any_below(9)
					   : 1u << any_below(4);

	return perf_event_mmap((long)any_handle(), pages,
			       one_in(8) ? (unsigned)any_argument_number()
					 : PERF_PROT_READ | (unsigned)any_number() % 2 * 2);
}

static inline long fuzz_close(void)
{
	return perf_event_close((long)any_handle());
}

static inline long fuzz_read(void)
{
	return perf_event_read((long)any_handle(), (void *)any_address(),
			       one_in(4) ? any_argument_number() : 4096);
}

static inline long fuzz_region(void)
{
	char *name = any_bytes(32);

	name[0] = (char)('a' + any_below(26));
	return perf_syscall(one_in(2) ? PERF_SYS_REGION_BEGIN : PERF_SYS_REGION_END,
			    one_in(8) ? any_address() : (uint64_t)name,
			    one_in(2) ? 1 : any_argument_number(), 0);
}

/*
 * A process with memory of its own, that begins somewhere, and is gone soon, with a line; or tries
 * as much as this one does. Rarely: each takes a while. Else what is no process at all.
 */
static inline long fuzz_spawn(void)
{
	struct workload_spawn *spawn = any_bytes(sizeof(*spawn));
	const uint64_t where = any_address();

	if (one_in(8))
		*spawn = (struct workload_spawn){
			.entry = one_in(2) || where - own_code() < 4096 ? fuzz.entry : where,
			.args = {any_below(64), any_number()},
		};
	return perf_syscall(WORKLOAD_SYS_SPAWN, (uint64_t)spawn,
			    one_in(8) ? any_argument_number() : sizeof(*spawn), 0);
}

/* Of those that would print, wait or end: only so much that the next one comes. */
static inline long fuzz_number(void)
{
	uint64_t nr = one_in(16) ? any_argument_number() : any_below(WORKLOAD_SYS_PERF_LAST + 2);
	uint64_t a0 = any_argument(), a1 = any_argument(), a2 = any_argument();

	switch (nr) {
	case WORKLOAD_SYS_EXIT:
	case PERF_SYS_ON_FAULT:
		return 0;
	case WORKLOAD_SYS_SPAWN:
		return fuzz_spawn();
	case WORKLOAD_SYS_WAIT:
		a2 |= WORKLOAD_WAIT_NO_HANG;
		break;
	case WORKLOAD_SYS_WAIT_ON:
		a2 = any_below(1000);
		break;
	case PERF_SYS_POLL:
		a0 = any_handle();
		a1 = any_below(1000);
		break;
	case WORKLOAD_SYS_PRINT:
		a1 |= 1 << 20;
		break;
	case WORKLOAD_SYS_SLEEP:
		a0 = one_in(2) ? a0 | 1ull << 63 : any_below(1000);
		break;
	case WORKLOAD_SYS_KILL: /* not itself */
		a0 |= 1 << 20;
		break;
	}
	return perf_syscall((long)nr, a0, a1, a2);
}

static inline void try_syscall(void)
{
	static const uint8_t share[] = {16, 9, 4, 1, 6, 2, 10}; /* of the switch's cases */
	uint64_t which = 0;
	long result;

	for (uint64_t n = any_below(48); which < LENGTH(share) - 1 && n >= share[which]; which++)
		n -= share[which];
	switch (which) {
	case 0:
		result = fuzz_open();
		break;
	case 1:
		result = fuzz_ioctl();
		break;
	case 2:
		result = fuzz_mmap();
		break;
	case 3:
		result = fuzz_close();
		break;
	case 4:
		result = fuzz_read();
		break;
	case 5:
		result = fuzz_region();
		break;
	default:
		result = fuzz_number();
		break;
	}
	if (result < 0 && result >= -4095)
		fuzz.refused++;
	else
		fuzz.answered++;
}

#endif
