// SPDX-License-Identifier: BSD-2-Clause
/*
 * fuzz.c - throws at the runtime whatever ring 3 can: system calls with arguments of all kinds,
 * instructions that are not for it, MSRs, ports, memory that is not its own. A generator with a
 * seed decides, so each run is the same.
 *
 * A try is answered by a result, or it faults; then the handler goes on with the next one. What the
 * program writes to is its scratch memory, and its rings: it never destroys itself.
 */
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
	void *go_on[5]; /* where, after a fault: __builtin_setjmp() */
} fuzz;

/* xorshift64*: Marsaglia, "Xorshift RNGs"; Vigna, "An experimental exploration". */
static uint64_t any(void)
{
	uint64_t x = fuzz.random;

	x ^= x >> 12;
	x ^= x << 25;
	x ^= x >> 27;
	fuzz.random = x;
	return x * 0x2545f4914f6cdd1d;
}

static uint64_t below(uint64_t n)
{
	return (any() >> 16) % n;
}

static bool one_in(uint64_t n)
{
	return !below(n);
}

/* --- Addresses and numbers --- */

static void workload_fuzz(uint64_t tries, uint64_t seed);

static uint64_t own_code(void)
{
	return (uint64_t)workload_fuzz & ~4095ull;
}

/* Never the program's own data or stack. */
static uint64_t address(void)
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

	switch (below(8)) {
	case 0:
		return below(1 << 16);
	case 1:
		return edges[below(LENGTH(edges))] - 16 + below(32);
	case 2:
		return below(1ull << 32);
	case 3:
		return PERF_RINGS + below(PERF_HANDLES_MAX + 1) * PERF_RINGS_STRIDE +
		       below(9 << 12);
	case 4:
		return any();
	case 5:
		return own_code() + below(4096);
	default:
		return SCRATCH + below(SCRATCH_BYTES);
	}
}

static uint64_t number(void)
{
	switch (below(6)) {
	case 0:
		return below(80);
	case 1:
		return 1ull << below(64);
	case 2:
		return (1ull << below(64)) - 1;
	case 3:
		return -below(80);
	case 4:
		return any();
	default:
		return below(1 << 20);
	}
}

static uint64_t argument(void)
{
	return one_in(2) ? address() : number();
}

static uint64_t handle(void)
{
	return one_in(16) ? number() : below(PERF_HANDLES_MAX / 4);
}

static void *fill(size_t bytes)
{
	uint64_t *at = (uint64_t *)(SCRATCH + below((SCRATCH_BYTES - bytes) / 8) * 8);

	for (size_t i = 0; i < bytes / 8; i++)
		at[i] = any();
	return at;
}

/* --- System calls --- */

/* Events that are right, or nearly so. */
static struct perf_event_attr attr(void)
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
	const unsigned kind = (unsigned)below(LENGTH(kinds));
	struct perf_event_attr a = {
		.type = kinds[kind].type,
		.size = sizeof(a),
		.config = below(kinds[kind].configs),
		.sample_period = one_in(2) ? kinds[kind].period : 0,
		.sample_type = one_in(4) ? any() & any() & ((1u << 25) - 1)
					 : PERF_SAMPLE_IP | (any() & 0x1c6),
		.read_format = any() & any() & 0x1f,
		.disabled = any(),
		.inherit = one_in(8),
		.pinned = one_in(8),
		.exclusive = one_in(8),
		.exclude_kernel = !one_in(16),
		.mmap = any(),
		.comm = any(),
		.task = any(),
		.sample_id_all = any(),
		.write_backward = one_in(8),
	};

	if (a.type == PERF_TYPE_BREAKPOINT) {
		a.bp_type = (uint32_t)below(8);
		a.bp_addr = address();
		a.bp_len = 1u << below(5);
	}
	return a;
}

/* Bits of `bytes` at `from` turn over, more often none. */
static void mutate(void *from, size_t bytes)
{
	uint8_t *at = from;

	for (uint64_t n = below(3) ? 0 : 1 + below(8); n; n--)
		at[below(bytes)] ^= (uint8_t)(1u << below(8));
}

/* A clock or counter that samples all the time leaves no time for anything else. */
static void calm_down(struct perf_event_attr *a)
{
	if (a->freq)
		a->sample_freq &= 1023;
	else if (a->sample_period && a->type != PERF_TYPE_TRACEPOINT &&
		 a->type != PERF_TYPE_BREAKPOINT)
		a->sample_period |= 0x4000;
}

static long fuzz_open(void)
{
	struct {
		struct perf_event_attr attr;
		uint64_t behind;
	} *a = fill(sizeof(*a));
	struct perf_open *open = fill(sizeof(*open));

	a->attr = attr();
	mutate(&a->attr, sizeof(a->attr));
	calm_down(&a->attr);
	*open = (struct perf_open){
		.attr = one_in(32) ? (void *)address() : &a->attr,
		.task = one_in(16) ? (int)number() : 0,
		.cpu = one_in(16) ? (int)number() : -1,
		.group = one_in(8) ? (int)handle() : -1,
		.flags = one_in(16) ? (uint32_t)number() : 0,
	};
	return perf_syscall(PERF_SYS_OPEN, one_in(32) ? address() : (uint64_t)open, argument(),
			    argument());
}

static long fuzz_ioctl(void)
{
	static const uint32_t requests[] = {
		PERF_EVENT_IOC_ENABLE,       PERF_EVENT_IOC_DISABLE,
		PERF_EVENT_IOC_RESET,        PERF_EVENT_IOC_REFRESH,
		PERF_EVENT_IOC_PERIOD,       PERF_EVENT_IOC_ID,
		PERF_EVENT_IOC_SET_OUTPUT,   PERF_EVENT_IOC_SET_FILTER,
		PERF_EVENT_IOC_PAUSE_OUTPUT, PERF_EVENT_IOC_SET_BPF,
		PERF_EVENT_IOC_QUERY_BPF,    PERF_EVENT_IOC_MODIFY_ATTRIBUTES,
	};
	uint32_t request = requests[below(LENGTH(requests))];
	uint64_t arg = argument();

	if (request == PERF_EVENT_IOC_SET_OUTPUT)
		arg = handle();
	if (request == PERF_EVENT_IOC_ENABLE || request == PERF_EVENT_IOC_DISABLE)
		arg = one_in(4) ? arg : below(2);
	if (request == PERF_EVENT_IOC_PERIOD && !one_in(8)) {
		uint64_t *period = fill(sizeof(*period));

		*period |= 0x4000;
		arg = (uint64_t)period;
	}
	return perf_event_ioctl((long)handle(), one_in(16) ? number() : request, arg);
}

static long fuzz_mmap(void)
{
	const uint64_t pages = one_in(8) ? number() : one_in(4) ? below(9) : 1u << below(4);

	return perf_event_mmap((long)handle(), pages,
			       one_in(8) ? (unsigned)number()
					 : PERF_PROT_READ | (unsigned)any() % 2 * 2);
}

static long fuzz_close(void)
{
	return perf_event_close((long)handle());
}

static long fuzz_read(void)
{
	return perf_event_read((long)handle(), (void *)address(), one_in(4) ? number() : 4096);
}

static long fuzz_region(void)
{
	char *name = fill(32);

	name[0] = (char)('a' + below(26));
	return perf_syscall(one_in(2) ? PERF_SYS_REGION_BEGIN : PERF_SYS_REGION_END,
			    one_in(8) ? address() : (uint64_t)name, one_in(2) ? 1 : number(), 0);
}

/*
 * A process with memory of its own, that begins somewhere, and is gone soon, with a line; or tries
 * as much as this one does. Rarely: each takes a while. Else what is no process at all.
 */
static long fuzz_spawn(void)
{
	struct workload_spawn *spawn = fill(sizeof(*spawn));
	const uint64_t where = address();

	if (one_in(8))
		*spawn = (struct workload_spawn){
			.entry = one_in(2) || where - own_code() < 4096 ? (uint64_t)workload_fuzz
									: where,
			.args = {below(64), any()},
		};
	return perf_syscall(WORKLOAD_SYS_SPAWN, (uint64_t)spawn,
			    one_in(8) ? number() : sizeof(*spawn), 0);
}

/* Of those that would print, wait or end: only so much that the next one comes. */
static long fuzz_number(void)
{
	uint64_t nr = one_in(16) ? number() : below(WORKLOAD_SYS_PERF_LAST + 2);
	uint64_t a0 = argument(), a1 = argument(), a2 = argument();

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
		a2 = below(1000);
		break;
	case PERF_SYS_POLL:
		a0 = handle();
		a1 = below(1000);
		break;
	case WORKLOAD_SYS_PRINT:
		a1 |= 1 << 20;
		break;
	case WORKLOAD_SYS_SLEEP:
		a0 = one_in(2) ? a0 | 1ull << 63 : below(1000);
		break;
	case WORKLOAD_SYS_KILL: /* not itself */
		a0 |= 1 << 20;
		break;
	}
	return perf_syscall((long)nr, a0, a1, a2);
}

static void try_syscall(void)
{
	static const uint8_t share[] = {16, 9, 4, 1, 6, 2, 10}; /* of the switch's cases */
	uint64_t which = 0;
	long result;

	for (uint64_t n = below(48); which < LENGTH(share) - 1 && n >= share[which]; which++)
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

/* --- Instructions --- */

#define TRY(asm) __asm__ volatile(asm : "+a"(a), "+b"(b), "+c"(c), "+d"(d) : : "memory", "cc")

static void try_msr_or_port(void)
{
	static const uint32_t msrs[] = {
		0x10,       0x1b,       0x38d,      0x38f,      0x186,      0xc1,
		0x309,      0x600,      0x1d9,      0x3f1,      0x802,      0x830,
		0xc0000080, 0xc0000081, 0xc0000082, 0xc0000100, 0xc0000102, 0xc0010000,
		0xc0010114, 0xc0010117, 0xc0010200, 0xc0011030,
	};
	uint64_t a = any(), b = address(), c = any(), d = any();

	c = one_in(2) ? msrs[below(LENGTH(msrs))] + below(4) : c;
	switch (below(10)) {
	case 0:
		TRY("rdmsr");
		break;
	case 1:
		TRY("wrmsr");
		break;
	case 2:
		TRY("rdpmc");
		break;
	case 3:
		TRY("in %%dx, %%al");
		break;
	case 4:
		TRY("in %%dx, %%eax");
		break;
	case 5:
		TRY("out %%al, %%dx");
		break;
	case 6:
		TRY("out %%eax, %%dx");
		break;
	case 7:
		TRY("xor %%edi, %%edi\n\tmov $3, %%ecx\n\trep insb");
		break;
	case 8:
		TRY("in $0x70, %%al");
		break;
	default:
		TRY("mov %%rbx, %%rsi\n\toutsb");
		break;
	}
}

static void try_privileged(void)
{
	uint64_t a = any(), b = address(), c = any(), d = any();

	switch (below(56)) {
#define CASE(n, asm)      \
	case n:           \
		TRY(asm); \
		break;
		CASE(0, "hlt")
		CASE(1, "cli")
		CASE(2, "sti")
		CASE(3, "mov %%cr0, %%rax")
		CASE(4, "mov %%rax, %%cr0")
		CASE(5, "mov %%cr2, %%rax")
		CASE(6, "mov %%rax, %%cr3")
		CASE(7, "mov %%rax, %%cr4")
		CASE(8, "mov %%rax, %%cr8")
		CASE(9, "mov %%rax, %%dr0")
		CASE(10, "mov %%dr7, %%rax")
		CASE(11, "mov %%rax, %%dr7")
		CASE(12, "lgdt (%%rbx)")
		CASE(13, "lidt (%%rbx)")
		CASE(14, "lldt %%ax")
		CASE(15, "ltr %%ax")
		CASE(16, "sgdt (%%rbx)")
		CASE(17, "sidt (%%rbx)")
		CASE(18, "sldt %%rax")
		CASE(19, "str %%rax")
		CASE(20, "smsw %%rax")
		CASE(21, "lmsw %%ax")
		CASE(22, "clts")
		CASE(23, "invlpg (%%rbx)")
		CASE(24, "invd")
		CASE(25, "wbinvd")
		CASE(26, "swapgs")
		CASE(27, "sysretq")
		CASE(28, "sysexitl")
		CASE(29, "sysenter")
		CASE(30, "rsm")
		CASE(31, "vmrun")
		CASE(32, "vmmcall")
		CASE(33, "vmload")
		CASE(34, "vmsave")
		CASE(35, "stgi")
		CASE(36, "clgi")
		CASE(37, "skinit")
		CASE(38, "invlpga")
		CASE(39, "vmcall")
		CASE(40, "vmlaunch")
		CASE(41, "monitor")
		CASE(42, "mwait")
		CASE(43, "xsetbv")
		CASE(44, "xor %%ecx, %%ecx\n\txgetbv")
		CASE(45, "cpuid")
		CASE(46, "rdtsc")
		CASE(47, "ud2")
		CASE(48, "int $2")
		CASE(49, "int $8")
		CASE(50, "int $0x80")
		CASE(51, "int $0xf0")
		CASE(52, "int3")
		CASE(53, "int1")
		CASE(54, "ljmp *(%%rbx)")
		CASE(55, "clac")
#undef CASE
	}
}

/* The flags are put back; a set TF is a #DB, and AC faults on what is misaligned. */
static void try_state(void)
{
	uint64_t a = any(), b = address(), c = any(), d = any();

	switch (below(10)) {
	case 0:
		a = below(2) ? below(64) : a;
		TRY("mov %%ax, %%ds");
		break;
	case 1:
		TRY("mov %%ax, %%es");
		break;
	case 2:
		a = below(64);
		TRY("mov %%ax, %%gs");
		break;
	case 3:
		TRY("mov %%ax, %%ss");
		break;
	case 4:
		a &= ~0x100ull; /* TF would tell of the instruction behind it */
		TRY("pushf\n\tpush %%rax\n\tpopf\n\tmov 1(%%rsp), %%ecx\n\tpopf\n\tcld");
		break;
	case 5:
		TRY("pushf\n\torl $0x100, (%%rsp)\n\tpopf\n\tnop");
		break;
	case 6:
		TRY("push %%rax\n\tldmxcsr (%%rsp)\n\tpop %%rax\n\tpush $0x1f80\n\tldmxcsr "
		    "(%%rsp)\n\tpop %%rax");
		break;
	case 7:
		TRY("mov %%rsp, %%rcx\n\tmov %%rbx, %%rsp\n\tpush %%rax\n\tmov %%rcx, %%rsp");
		break;
	case 8:
		TRY("wrfsbase %%rax\n\tmov %%fs:0, %%rax");
		break;
	default:
		TRY("xor %%ecx, %%ecx\n\tdiv %%ecx");
		break;
	}
}

/* --- Memory --- */

static void try_memory(void)
{
	uint64_t at = address(), value = any();

	switch (below(6)) {
	case 0:
		(void)*(volatile uint8_t *)at;
		break;
	case 1:
		(void)*(volatile uint64_t *)at;
		break;
	case 2:
		*(volatile uint8_t *)at = (uint8_t)value;
		break;
	case 3:
		*(volatile uint64_t *)at = value;
		break;
	case 4:
		__asm__ volatile("lock cmpxchg %0, (%1)"
				 :
				 : "r"(value), "r"(at), "a"(value)
				 : "memory", "cc");
		break;
	default:
		if (at - own_code() < 4096)
			break;
		((void (*)(void))at)();
		break;
	}
}

/* --- All of it --- */

static void try_one(void)
{
	switch (below(16)) {
	case 0:
	case 1:
		try_msr_or_port();
		break;
	case 2:
	case 3:
		try_privileged();
		break;
	case 4:
		try_state();
		break;
	case 5:
	case 6:
	case 7:
		try_memory();
		break;
	default:
		try_syscall();
		return;
	}
	fuzz.executed++;
}

/* --- The run --- */

/* Entered with its own stack, by ON_FAULT: nothing of the interrupted code is needed any more. */
static __attribute__((noreturn)) void on_fault(uint64_t vector)
{
	fuzz.faults[vector % VECTORS]++;
	__builtin_longjmp(fuzz.go_on, 1);
}

static void add(struct line *l, uint64_t value, const char *what)
{
	line_number(l, value);
	line_text(l, what);
}

static uint64_t all_faults(void)
{
	uint64_t n = 0;

	for (unsigned v = 0; v < VECTORS; v++)
		n += fuzz.faults[v];
	return n;
}

static void report(uint64_t seed)
{
	struct line l = {.n = 0};

	line_text(&l, "fuzz: ");
	add(&l, fuzz.tries, " tries of seed ");
	add(&l, seed, ": ");
	add(&l, fuzz.answered, " answered, ");
	add(&l, fuzz.refused, " refused, ");
	add(&l, fuzz.executed, " executed, ");
	add(&l, all_faults(), " faults (#GP ");
	add(&l, fuzz.faults[13], ", #PF ");
	add(&l, fuzz.faults[14], ", #UD ");
	add(&l, fuzz.faults[6], ", #DB ");
	add(&l, fuzz.faults[1], ")\n");
	line_print(&l);
}

/* A fault comes back to where the next handler is asked for. */
static __attribute__((noinline)) void run(uint64_t tries)
{
	__builtin_setjmp(fuzz.go_on);
	perf_on_fault((void (*)(void))on_fault, (void *)HANDLER_STACK);
	while (fuzz.tries < tries) {
		fuzz.tries++;
		try_one();
	}
}

static void workload_fuzz(uint64_t tries, uint64_t seed)
{
	fuzz.random = seed * 0x9e3779b97f4a7c15 + 1;
	run(tries);
	perf_on_fault(NULL, NULL);
	report(seed);
	user_exit(fuzz.tries != fuzz.answered + fuzz.refused + fuzz.executed + all_faults());
}

static const struct workload fuzz_workload = {
	.name = "fuzz",
	.usage = "[N] [SEED]",
	.summary = "N tries (10000) to do what ring 3 may not, or not so; SEED (1) says which",
	.entry = WORKLOAD_CODE(workload_fuzz),
	.params = {{"N", WORKLOAD_NUMBER, 10000, 1, UINT64_MAX},
		   {"SEED", WORKLOAD_NUMBER, 1, 0, UINT64_MAX}},
};
WORKLOAD_ENTRY(fuzz_workload);
