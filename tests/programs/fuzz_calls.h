/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fuzz_calls.h - what fuzz.c decides by its seed: numbers, addresses, and system calls with both.
 */
#ifndef TESTS_FUZZ_CALLS_H
#define TESTS_FUZZ_CALLS_H

#include "apps/workloads/crt.h"
#include "apps/workloads/text_line.h"

#include <linux/errno.h>
#include <stdbool.h>
#include <stddef.h>

#define VECTORS       32
#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

/* Parts of the heap: the scratch memory of calls, and the stack of the handler. */
#define SCRATCH       WORKLOAD_HEAP
#define SCRATCH_BYTES (256u << 10)
#define HANDLER_STACK (WORKLOAD_HEAP + (1u << 20))
#define HANDLER_BYTES (64u << 10)
#define CHILD_STACK   (WORKLOAD_HEAP + (2u << 20)) /* the top of the stack */

/* Addresses that only mmap(2) and its kin use. */
#define ARENA       0x200000000000
#define ARENA_PAGES 256
#define PAGE        4096

#define FDS_MOST  16
#define MAPS_MOST 16

static struct {
	uint64_t random;
	uint64_t tries;
	uint64_t answered, refused; /* system calls with a result of 0 or more, and below 0 */
	uint64_t executed;          /* instructions and accesses that did not fault */
	uint64_t faults[VECTORS];
	uint64_t entry;     /* workload_fuzz() */
	bool is_child;      /* a child sends no signals and has no children */
	long fds[FDS_MOST]; /* the latest events */
	struct {
		uint64_t at, bytes;
	} maps[MAPS_MOST]; /* the latest mappings */
	unsigned last_fd, last_map;
	void *go_on[5]; /* for __builtin_setjmp(): where to go on after a fault */
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
		return fuzz.maps[any_below(MAPS_MOST)].at + any_below(9 << 12);
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

/* Never standard output and error. */
static inline long any_fd(void)
{
	if (one_in(16))
		return (long)(any_argument_number() | 4);
	return fuzz.fds[any_below(FDS_MOST)];
}

static inline uint64_t in_arena(void)
{
	return ARENA + any_below(ARENA_PAGES) * PAGE + (one_in(16) ? any_below(PAGE) : 0);
}

/* An address where a change does no harm to the program. */
static inline uint64_t any_free_address(void)
{
	return one_in(8) ? any_number() | 1ull << 47 : in_arena();
}

/* A size that memory is enough for. */
static inline uint64_t few_bytes(void)
{
	return one_in(4) ? any_below(64 * PAGE) : any_below(64) * PAGE;
}

/* The mapping that has been there for longest goes. */
static inline void keep_map(uint64_t at, uint64_t bytes)
{
	const unsigned i = fuzz.last_map++ % MAPS_MOST;

	if (at - ARENA < ARENA_PAGES * PAGE)
		return;
	if (fuzz.maps[i].bytes)
		linux_munmap(fuzz.maps[i].at, fuzz.maps[i].bytes);
	fuzz.maps[i].at = at;
	fuzz.maps[i].bytes = bytes;
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
	const unsigned i = fuzz.last_fd++ % FDS_MOST;
	long fd;

	a->attr = any_attr();
	mutate(&a->attr, sizeof(a->attr));
	calm_down(&a->attr);
	fd = linux_perf_event_open(one_in(32) ? (void *)any_address() : &a->attr,
				   one_in(16) ? (int)any_argument_number() : 0,
				   one_in(16) ? (int)any_argument_number() : -1,
				   one_in(8) ? (int)any_fd() : -1,
				   one_in(16) ? (uint32_t)any_argument_number() : 0);
	if (fd < 0)
		return fd;
	if (fuzz.fds[i] > 2)
		linux_close(fuzz.fds[i]);
	return fuzz.fds[i] = fd;
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
		arg = (uint64_t)any_fd();
	if (request == PERF_EVENT_IOC_ENABLE || request == PERF_EVENT_IOC_DISABLE)
		arg = one_in(4) ? arg : any_below(2);
	if (request == PERF_EVENT_IOC_PERIOD && !one_in(8)) {
		uint64_t *period = any_bytes(sizeof(*period));

		*period |= 0x4000;
		arg = (uint64_t)period;
	}
	return linux_ioctl(any_fd(), one_in(16) ? any_argument_number() : request, arg);
}

static inline long fuzz_ring(void)
{
	const uint64_t pages = one_in(8)   ? any_below(1 << 20)
			       : one_in(4) ? any_below(9)
					   : 1u << any_below(4);
	const long at = linux_mmap(one_in(4) ? in_arena() : 0,
				   ring_bytes(pages) - (one_in(16) ? any_below(PAGE) : 0),
				   one_in(8) ? (int)any_argument_number()
					     : PROT_READ | (int)(any_number() % 2 * PROT_WRITE),
				   one_in(8) ? MAP_PRIVATE : MAP_SHARED, any_fd(),
				   one_in(16) ? any_argument_number() : 0);

	if (at > 0)
		keep_map((uint64_t)at, ring_bytes(pages));
	return at;
}

static inline long fuzz_close(void)
{
	return linux_close(any_fd());
}

static inline long fuzz_read(void)
{
	return linux_read(any_fd(), (void *)any_address(),
			  one_in(4) ? any_argument_number() : 4096);
}

static inline long fuzz_region(void)
{
	char *name = any_bytes(32);

	name[0] = (char)('a' + any_below(26));
	return linux_syscall3(one_in(2) ? PERF0_SYS_REGION_BEGIN : PERF0_SYS_REGION_END,
			      one_in(8) ? any_address() : (uint64_t)name,
			      one_in(2) ? 1 : any_argument_number(), 0);
}

/* --- Memory --- */

static inline long fuzz_map(void)
{
	const uint64_t bytes = one_in(4) ? any_argument_number() : few_bytes();
	const int fixed = one_in(2) ? MAP_FIXED : one_in(4) ? MAP_FIXED_NOREPLACE : 0;
	int flags =
		(one_in(8) ? (int)any_number() & ~MAP_FIXED : MAP_PRIVATE | MAP_ANONYMOUS) | fixed;
	uint64_t at = any_free_address();
	long got;

	if (bytes > 64 * PAGE)
		flags &= ~(MAP_POPULATE | MAP_LOCKED | MAP_FIXED);
	if (flags & MAP_FIXED && at - ARENA < ARENA_PAGES * PAGE && bytes > ARENA_PAGES * PAGE)
		at = 0;
	got = linux_mmap(at, bytes, (int)any_below(one_in(8) ? 64 : 8), flags,
			 one_in(2) ? -1 : any_fd(), one_in(8) ? any_argument_number() : 0);
	if (got > 0)
		keep_map((uint64_t)got, bytes);
	return got;
}

static inline long fuzz_memory(void)
{
	static const uint16_t numbers[] = {
		__NR_munmap,  __NR_mprotect, __NR_madvise, __NR_mincore, __NR_mlock,
		__NR_munlock, __NR_mlock2,   __NR_msync,   __NR_mremap,
	};
	const uint64_t at = any_free_address(),
		       bytes = at >> 47 && one_in(2) ? any_argument_number() : few_bytes();
	const uint16_t number = numbers[any_below(LENGTH(numbers))];

	if (one_in(2))
		return fuzz_map();
	if (number == __NR_mremap)
		return linux_syscall6(number, at, bytes, few_bytes(), any_below(8), in_arena(), 0);
	return linux_syscall3(number, at, bytes,
			      number == __NR_mincore ? any_address() : any_argument_number());
}

/* --- Tasks and signals --- */

static inline void reap_children(void)
{
	while (linux_syscall6(__NR_wait4, (uint64_t)-1, 0, WNOHANG, 0, 0, 0) > 0)
		;
}

void fuzz_in_child(uint64_t tries, uint64_t seed);

/* A process that tries as much as this one does; or a task of any kind, that ends at once. Rarely:
 * each takes a while. Else what is no task at all. */
static inline long fuzz_clone(void)
{
	struct thread_first_words words = {.entry = TASK_ENTRY(linux_exit_thread)};
	const uint64_t flags = (any_number() & any_number() & 0xffffffffffffff00) | SIGCHLD;

	if (fuzz.is_child)
		return 0;
	reap_children();
	if (!one_in(8))
		return thread_clone(flags | CLONE_PTRACE, CHILD_STACK, NULL, &words);
	if (one_in(2))
		return process_start(TASK_ENTRY(fuzz_in_child), any_below(64), any_number(), 0);
	return thread_clone(
		(flags & (CLONE_THREAD_FLAGS | CLONE_VFORK | CLONE_CHILD_SETTID | SIGCHLD)) |
			CLONE_VM,
		CHILD_STACK, (uint32_t *)any_address(), &words);
}

/* A signal to itself, or to a process that does not exist; no SIGKILL. */
static inline long fuzz_kill(uint64_t number)
{
	const uint64_t pid = one_in(2) ? (uint64_t)linux_getpid() : any_argument_number() | 1 << 20;
	const uint64_t sent = one_in(8) ? any_argument_number() | 128 : 10 + any_below(9);

	if (fuzz.is_child)
		return 0;
	if (number == __NR_tgkill)
		return linux_syscall3(__NR_tgkill, pid, pid, sent);
	return linux_syscall3((long)number, pid, sent, any_address());
}

/* The call must not change anything that the handler of faults needs. */
static inline long fuzz_signal(void)
{
	const uint64_t faults = 1ull << (SIGSEGV - 1) | 1ull << (SIGBUS - 1) |
				1ull << (SIGILL - 1) | 1ull << (SIGTRAP - 1) | 1ull << (SIGFPE - 1);
	uint64_t *set = any_bytes(sizeof(*set));

	*set &= ~faults;
	switch (any_below(4)) {
	case 0:
		return linux_syscall6(__NR_rt_sigprocmask, any_below(4), (uint64_t)set,
				      any_argument(), one_in(8) ? any_argument_number() : 8, 0, 0);
	case 1:
		return linux_syscall6(__NR_rt_sigaction, any_argument_number(), 0, any_address(),
				      one_in(8) ? any_argument_number() : 8, 0, 0);
	case 2:
		return linux_syscall3(__NR_sigaltstack, one_in(2) ? 0 : any_number() | 1ull << 47,
				      any_address(), 0);
	default:
		return linux_syscall3(__NR_rt_sigpending, any_address(), any_argument_number(), 0);
	}
}

/* --- Waits, which are short --- */

static inline uint64_t any_short_time(void)
{
	struct __kernel_timespec *t = any_bytes(sizeof(*t));

	if (one_in(8))
		return any_number() | 1ull << 47;
	*t = (struct __kernel_timespec){.tv_sec = one_in(8) ? -1 : 0,
					.tv_nsec = one_in(8) ? -1 : (long long)any_below(1000)};
	return (uint64_t)t;
}

static inline long fuzz_wait(void)
{
	struct pollfd *p = any_bytes(2 * sizeof(*p));

	switch (any_below(5)) {
	case 0:
		return linux_syscall6(__NR_futex, any_address(), any_argument_number(),
				      any_argument(), any_short_time(), any_argument(),
				      any_argument());
	case 1:
		return linux_syscall3(__NR_nanosleep, any_short_time(), any_argument(), 0);
	case 2:
		return linux_syscall6(__NR_clock_nanosleep, any_below(16), 0, any_short_time(),
				      any_argument(), 0, 0);
	case 3:
		p[0].fd = (int)any_fd();
		p[1].fd = (int)any_fd();
		return linux_syscall3(__NR_poll, one_in(8) ? any_address() : (uint64_t)p,
				      one_in(8) ? any_argument_number() : any_below(3),
				      any_below(2));
	default:
		return linux_syscall6(one_in(2) ? __NR_wait4 : __NR_waitid, any_argument_number(),
				      any_argument(), any_argument() | WNOHANG,
				      WNOHANG | any_below(32), any_argument(), 0);
	}
}

/* --- By number --- */

/* Calls that end the program, that wait until something comes, or that have a function above;
 * and alarms, which would come at another time in each run. */
static inline bool is_left_out(uint64_t number)
{
	static const uint16_t left_out[] = {
		__NR_exit,
		__NR_exit_group,
		__NR_execve,
		__NR_execveat,
		__NR_fork,
		__NR_vfork,
		__NR_clone,
		__NR_clone3,
		__NR_rt_sigaction,
		__NR_rt_sigprocmask,
		__NR_rt_sigreturn,
		__NR_sigaltstack,
		__NR_rt_sigsuspend,
		__NR_pause,
		__NR_rt_sigtimedwait,
		__NR_futex,
		__NR_nanosleep,
		__NR_clock_nanosleep,
		__NR_poll,
		__NR_ppoll,
		__NR_select,
		__NR_pselect6,
		__NR_epoll_wait,
		__NR_epoll_pwait,
		__NR_epoll_pwait2,
		__NR_wait4,
		__NR_waitid,
		__NR_mmap,
		__NR_munmap,
		__NR_mprotect,
		__NR_madvise,
		__NR_mremap,
		__NR_mlock,
		__NR_mlock2,
		__NR_pkey_mprotect,
		__NR_process_madvise,
		__NR_pipe,
		__NR_eventfd,
		__NR_signalfd,
		__NR_mknod,
		__NR_mknodat,
		__NR_flock,
		__NR_alarm,
		__NR_setitimer,
		__NR_timer_settime,
		__NR_remap_file_pages,
		__NR_shmat,
		__NR_futex_waitv,
	};

	for (size_t i = 0; i < LENGTH(left_out); i++)
		if (left_out[i] == number)
			return true;
	return false;
}

/* Some of the other calls get arguments that change nothing of the program itself. */
static inline long fuzz_number(void)
{
	uint64_t number = one_in(16) ? any_argument_number() : any_below(470);
	uint64_t a0 = any_argument(), a1 = any_argument(), a2 = any_argument(), a3 = any_argument();

	if (is_left_out(number))
		return 0;
	switch (number) {
	case __NR_write:
	case __NR_writev:
	case __NR_pwrite64:
	case __NR_pwritev:
	case __NR_pwritev2:
	case __NR_sendfile:
	case __NR_splice:
	case __NR_tee:
	case __NR_vmsplice:
	case __NR_copy_file_range:
	case __NR_close:
	case __NR_ftruncate:
	case __NR_close_range:
		a0 = (uint64_t)any_fd();
		a2 = number == __NR_splice || number == __NR_copy_file_range ? a0 : a2;
		break;
	case __NR_dup2:
	case __NR_dup3:
		a1 |= 4;
		break;
	case __NR_pipe2:
	case __NR_eventfd2:
	case __NR_timerfd_create:
		a1 |= O_NONBLOCK;
		break;
	case __NR_signalfd4:
		a3 |= O_NONBLOCK;
		break;
	case __NR_fcntl:
		a1 = any_below(5);
		a2 |= O_NONBLOCK;
		break;
	case __NR_kill:
	case __NR_tkill:
	case __NR_tgkill:
	case __NR_rt_sigqueueinfo:
		return fuzz_kill(number);
	case __NR_rt_tgsigqueueinfo:
		return 0;
	}
	return linux_syscall6((long)number, a0, a1, a2, a3, any_argument(), any_argument());
}

static inline void try_syscall(void)
{
	static const uint8_t share[] = {16, 9, 4, 1, 6, 2,
					6,  2, 1, 3, 10}; /* of the switch's cases */
	uint64_t which = 0;
	long result;

	for (uint64_t n = any_below(60); which < LENGTH(share) - 1 && n >= share[which]; which++)
		n -= share[which];
	switch (which) {
	case 0:
		result = fuzz_open();
		break;
	case 1:
		result = fuzz_ioctl();
		break;
	case 2:
		result = fuzz_ring();
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
	case 6:
		result = fuzz_memory();
		break;
	case 7:
		result = fuzz_signal();
		break;
	case 8:
		result = fuzz_clone();
		break;
	case 9:
		result = fuzz_wait();
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
