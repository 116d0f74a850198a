/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sys.h - Linux's system calls, and perf0's few, as functions, for our code in ring 3: there is no
 * libc. Results are those of the system call: -errno where it fails. Threads, processes and
 * handlers of signals follow, made of them. All is inline: nothing is linked.
 */
#ifndef APPS_WORKLOADS_SYS_H
#define APPS_WORKLOADS_SYS_H

#include "include/perf0/perf0_syscalls.h"

#include <asm/poll.h>
#include <asm/prctl.h>
#include <asm/siginfo.h>
#include <asm/signal.h>
#include <asm/unistd_64.h>
#include <linux/fcntl.h>
#include <linux/futex.h>
#include <linux/mman.h>
#include <linux/perf_event.h>
#include <linux/prctl.h>
#include <linux/sched.h>
#include <linux/time_types.h>
#include <linux/wait.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline long linux_syscall3(long number, uint64_t a0, uint64_t a1, uint64_t a2)
{
	long result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(number), "D"(a0), "S"(a1), "d"(a2)
			 : "rcx", "r11", "memory");
	return result;
}

static inline long linux_syscall6(long number, uint64_t a0, uint64_t a1, uint64_t a2, uint64_t a3,
				  uint64_t a4, uint64_t a5)
{
	register uint64_t r10 __asm__("r10") = a3;
	register uint64_t r8 __asm__("r8") = a4;
	register uint64_t r9 __asm__("r9") = a5;
	long result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(number), "D"(a0), "S"(a1), "d"(a2), "r"(r10), "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	return result;
}

/* --- Files --- */

static inline long linux_write(int fd, const void *from, size_t bytes)
{
	return linux_syscall3(__NR_write, (uint64_t)fd, (uint64_t)from, bytes);
}

static inline long linux_read(long fd, void *to, size_t bytes)
{
	return linux_syscall3(__NR_read, (uint64_t)fd, (uint64_t)to, bytes);
}

static inline long linux_open(const char *path, int flags)
{
	return linux_syscall6(__NR_openat, (uint64_t)AT_FDCWD, (uint64_t)path, (uint64_t)flags, 0,
			      0, 0);
}

static inline long linux_close(long fd)
{
	return linux_syscall3(__NR_close, (uint64_t)fd, 0, 0);
}

static inline long linux_ioctl(long fd, unsigned long request, uint64_t argument)
{
	return linux_syscall3(__NR_ioctl, (uint64_t)fd, request, argument);
}

/* Polls one file. Returns its events, 0: none came; `ms` -1: waits without a limit. */
static inline long linux_poll(long fd, short events, int ms)
{
	struct pollfd p = {.fd = (int)fd, .events = events};
	const long n = linux_syscall3(__NR_poll, (uint64_t)&p, 1, (uint64_t)ms);

	return n > 0 ? p.revents : n;
}

/* --- Memory --- */

static inline long linux_mmap(uint64_t address, uint64_t bytes, int prot, int flags, long fd,
			      uint64_t offset)
{
	return linux_syscall6(__NR_mmap, address, bytes, (uint64_t)prot, (uint64_t)flags,
			      (uint64_t)fd, offset);
}

static inline long linux_mmap_zeros(uint64_t bytes, int more_flags)
{
	return linux_mmap(0, bytes, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | more_flags, -1, 0);
}

static inline long linux_munmap(uint64_t address, uint64_t bytes)
{
	return linux_syscall3(__NR_munmap, address, bytes, 0);
}

static inline long linux_mprotect(uint64_t address, uint64_t bytes, int prot)
{
	return linux_syscall3(__NR_mprotect, address, bytes, (uint64_t)prot);
}

/* --- Time and CPUs --- */

static inline uint64_t linux_now_ns(void)
{
	struct __kernel_timespec now = {0, 0};

	linux_syscall3(__NR_clock_gettime, 1 /* CLOCK_MONOTONIC */, (uint64_t)&now, 0);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static inline struct __kernel_timespec linux_timespec(uint64_t ns)
{
	return (struct __kernel_timespec){(long long)(ns / 1000000000),
					  (long long)(ns % 1000000000)};
}

static inline long linux_sleep_ns(uint64_t ns)
{
	const struct __kernel_timespec t = linux_timespec(ns);

	return linux_syscall3(__NR_nanosleep, (uint64_t)&t, 0, 0);
}

static inline long linux_yield(void)
{
	return linux_syscall3(__NR_sched_yield, 0, 0, 0);
}

static inline long linux_getcpu(void)
{
	uint32_t cpu = 0;
	const long err = linux_syscall3(__NR_getcpu, (uint64_t)&cpu, 0, 0);

	return err ? err : (long)cpu;
}

/* Bit n % 64 of word n / 64 stands for CPU n. */
#define LINUX_CPU_WORDS 4

static inline long linux_run_on(long tid, uint64_t cpu)
{
	uint64_t mask[LINUX_CPU_WORDS] = {0};

	mask[cpu / 64 % LINUX_CPU_WORDS] = 1ull << cpu % 64;
	return linux_syscall3(__NR_sched_setaffinity, (uint64_t)tid, sizeof(mask), (uint64_t)mask);
}

/* The number of CPUs on which this task may run: all, unless an affinity was set. */
static inline uint64_t linux_cpus(void)
{
	uint64_t mask[LINUX_CPU_WORDS] = {0}, n = 0;

	linux_syscall3(__NR_sched_getaffinity, 0, sizeof(mask), (uint64_t)mask);
	for (unsigned i = 0; i < LINUX_CPU_WORDS; i++)
		for (; mask[i]; mask[i] &= mask[i] - 1)
			n++;
	return n;
}

/* --- Tasks --- */

static inline _Noreturn void linux_exit_group(int status)
{
	linux_syscall3(__NR_exit_group, (uint64_t)status, 0, 0);
	__builtin_trap(); /* a sample on SYSCALL points here, which is still this function */
}

static inline _Noreturn void linux_exit_thread(void)
{
	linux_syscall3(__NR_exit, 0, 0, 0);
	__builtin_trap();
}

static inline long linux_execve(const char *path, const char *const argv[])
{
	return linux_syscall3(__NR_execve, (uint64_t)path, (uint64_t)argv, 0);
}

static inline long linux_getpid(void)
{
	return linux_syscall3(__NR_getpid, 0, 0, 0);
}

static inline long linux_kill(long pid, int number)
{
	return linux_syscall3(__NR_kill, (uint64_t)pid, (uint64_t)number, 0);
}

static inline long linux_set_name(const char *name)
{
	return linux_syscall3(__NR_prctl, PR_SET_NAME, (uint64_t)name, 0);
}

/* Sleeps while `*word` is `value`, until it is woken; for `ns` at most, 0: without a limit. */
static inline long linux_futex_wait(const uint32_t *word, uint32_t value, uint64_t ns)
{
	const struct __kernel_timespec t = linux_timespec(ns);

	return linux_syscall6(__NR_futex, (uint64_t)word, FUTEX_WAIT, value, ns ? (uint64_t)&t : 0,
			      0, 0);
}

static inline long linux_futex_wake(const uint32_t *word, uint32_t most)
{
	return linux_syscall3(__NR_futex, (uint64_t)word, FUTEX_WAKE, most);
}

/* The status as a shell reports it: after a signal, 128 + its number. */
static inline int linux_shell_status(int status)
{
	return status & 0x7f ? 128 + (status & 0x7f) : status >> 8 & 0xff;
}

#define ANY_CHILD (-1)

/* Returns the pid; `status` is as a shell reports it. */
static inline long linux_wait(long pid, int *status)
{
	int raw = 0;
	const long ended = linux_syscall6(__NR_wait4, (uint64_t)pid, (uint64_t)&raw, 0, 0, 0, 0);

	*status = linux_shell_status(raw);
	return ended;
}

/* --- Events --- */

static inline long linux_perf_event_open(const struct perf_event_attr *attr, long pid, int cpu,
					 long group, unsigned long flags)
{
	return linux_syscall6(__NR_perf_event_open, (uint64_t)attr, (uint64_t)pid, (uint64_t)cpu,
			      (uint64_t)group, flags, 0);
}

/* The size of an event's control page and data pages. */
static inline uint64_t ring_bytes(uint64_t data_pages)
{
	return (1 + data_pages) * 4096;
}

static inline long ring_map(long fd, uint64_t data_pages, int prot)
{
	return linux_mmap(0, ring_bytes(data_pages), prot, MAP_SHARED, fd, 0);
}

static inline long ring_unmap(const volatile void *ring, uint64_t data_pages)
{
	return linux_munmap((uint64_t)ring, ring_bytes(data_pages));
}

/* --- What Linux answers with ENOSYS --- */

static inline size_t text_length(const char *text)
{
	size_t n = 0;

	while (text[n])
		n++;
	return n;
}

static inline long perf0_region_begin(const char *name)
{
	return linux_syscall3(PERF0_SYS_REGION_BEGIN, (uint64_t)name, text_length(name), 0);
}

static inline long perf0_region_end(const char *name)
{
	return linux_syscall3(PERF0_SYS_REGION_END, (uint64_t)name, text_length(name), 0);
}

static inline long perf0_last_reason(char *to, size_t bytes)
{
	return linux_syscall3(PERF0_SYS_LAST_REASON, (uint64_t)to, bytes, 0);
}

static inline long perf0_trace(uint64_t id, const void *entry, size_t bytes)
{
	return linux_syscall3(PERF0_SYS_TRACE, id, (uint64_t)entry, bytes);
}

/* --- Threads and processes --- */

typedef void task_entry(uint64_t a0, uint64_t a1, uint64_t a2);

#define TASK_ENTRY(fn)     ((task_entry *)(void (*)(void))(fn))
#define THREAD_STACK_BYTES (64u << 10)

/* The memory of this structure must stay valid until thread_join(). */
struct thread {
	uint32_t tid; /* 0: it has ended */
	uint64_t stack;
};

#define CLONE_THREAD_FLAGS                                                                  \
	(CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM | \
	 CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID)

/* The words on a new task's stack, which it pops. */
struct thread_first_words {
	task_entry *entry;
	uint64_t args[3];
	uint64_t no_caller;
};

/* `stack_end` is a multiple of 16. */
static inline long thread_clone(uint64_t flags, uint64_t stack_end, uint32_t *tid,
				const struct thread_first_words *words)
{
	struct thread_first_words *first = (struct thread_first_words *)stack_end - 1;
	register uint64_t r10 __asm__("r10") = (uint64_t)tid;
	register uint64_t r8 __asm__("r8") = 0;
	long result;

	*first = *words;
	__asm__ volatile("syscall\n\t"
			 "test %%rax, %%rax\n\t"
			 "jnz 1f\n\t"
			 "xor %%ebp, %%ebp\n\t"
			 "pop %%rax\n\t"
			 "pop %%rdi\n\t"
			 "pop %%rsi\n\t"
			 "pop %%rdx\n\t"
			 "jmp *%%rax\n"
			 "1:"
			 : "=a"(result)
			 : "a"(__NR_clone), "D"(flags), "S"(first), "d"(tid), "r"(r10), "r"(r8)
			 : "rcx", "r11", "memory", "cc");
	return result;
}

/* Returns the tid, or -errno. The entry ends by linux_exit_thread(). */
static inline long thread_start(struct thread *t, task_entry *entry, uint64_t a0, uint64_t a1,
				uint64_t a2)
{
	const struct thread_first_words words = {.entry = entry, .args = {a0, a1, a2}};
	const long stack = linux_mmap_zeros(THREAD_STACK_BYTES, MAP_STACK | MAP_POPULATE);
	long tid;

	if (stack < 0)
		return stack;
	t->stack = (uint64_t)stack;
	tid = thread_clone(CLONE_THREAD_FLAGS, t->stack + THREAD_STACK_BYTES, &t->tid, &words);
	if (tid < 0)
		linux_munmap(t->stack, THREAD_STACK_BYTES);
	return tid;
}

static inline void thread_join(struct thread *t)
{
	uint32_t tid;

	while ((tid = __atomic_load_n(&t->tid, __ATOMIC_ACQUIRE)))
		linux_futex_wait(&t->tid, tid, 0);
	linux_munmap(t->stack, THREAD_STACK_BYTES);
}

/* Returns the pid of a copy of this process. It runs `entry`, which ends by linux_exit_group(). */
static inline long process_start(task_entry *entry, uint64_t a0, uint64_t a1, uint64_t a2)
{
	const long pid = linux_syscall3(__NR_fork, 0, 0, 0);

	if (pid)
		return pid;
	entry(a0, a1, a2);
	linux_exit_group(1);
}

/* --- Handlers of signals --- */

typedef void signal_handler(int number, siginfo_t *info, void *ucontext);

/* A handler returns to this function. */
static __attribute__((naked, unused)) void signal_handler_return(void)
{
	__asm__("mov %0, %%eax\n\t"
		"syscall"
		:
		: "i"(__NR_rt_sigreturn));
}

static inline long signal_handle(int number, signal_handler *handler, unsigned long more_flags)
{
	const struct sigaction action = {
		.sa_handler = (__sighandler_t)(void (*)(void))handler,
		.sa_flags = SA_SIGINFO | SA_RESTORER | more_flags,
		.sa_restorer = signal_handler_return,
	};

	return linux_syscall6(__NR_rt_sigaction, (uint64_t)number, (uint64_t)&action, 0,
			      sizeof(action.sa_mask), 0, 0);
}

/* Handlers with SA_ONSTACK run on this stack. */
static inline long signal_stack(void *stack, size_t bytes)
{
	const stack_t s = {.ss_sp = stack, .ss_size = bytes};

	return linux_syscall3(__NR_sigaltstack, (uint64_t)&s, 0, 0);
}

#endif
