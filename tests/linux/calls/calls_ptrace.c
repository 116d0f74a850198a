// SPDX-License-Identifier: BSD-2-Clause
/* calls_ptrace.c - tracers: stops, registers, memory, signals, system calls, job control. */
#define _GNU_SOURCE
#include <elf.h>
#include <fcntl.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <linux/ptrace.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/linux/check.h"

#define DEBUG_REGISTER(i) (offsetof(struct user, u_debugreg) + (i) * sizeof(long))

#define KERNEL_USER_BYTES (sizeof(struct user) + 16) /* error_code, fault_address */

static const char *self;
static volatile long watched_word = 0x1122334455667788;

/* <sys/ptrace.h> and <linux/ptrace.h> do not go together, and the former hides results. */
static long request(long what, pid_t tid, uintptr_t addr, uintptr_t data)
{
	return syscall(SYS_ptrace, what, tid, addr, data);
}

static long peek(long what, pid_t tid, uintptr_t addr)
{
	long word = -1;

	check(!request(what, tid, addr, (uintptr_t)&word));
	return word;
}

static struct user_regs_struct regs_of(pid_t tid)
{
	struct user_regs_struct regs = {0};

	check(!request(PTRACE_GETREGS, tid, 0, (uintptr_t)&regs));
	return regs;
}

/* Returns the status of the child's next stop or end. */
static int next_status(pid_t tid)
{
	int status = -1;

	check(waitpid(tid, &status, __WALL) == tid);
	return status;
}

static int is_stop(int status, int number)
{
	return WIFSTOPPED(status) && WSTOPSIG(status) == number && !(status >> 16);
}

static int is_event(int status, int event)
{
	return status >> 8 == (SIGTRAP | event << 8);
}

static int is_exit(int status, int code)
{
	return WIFEXITED(status) && WEXITSTATUS(status) == code;
}

/* Starts a child that asks to be traced, and stops. */
static pid_t traced_child(int (*fn)(void))
{
	const pid_t child = fork();

	if (!child) {
		if (request(PTRACE_TRACEME, 0, 0, 0))
			_exit(99);
		raise(SIGSTOP);
		_exit(fn());
	}
	check(is_stop(next_status(child), SIGSTOP));
	return child;
}

static pid_t plain_child(int (*fn)(void))
{
	const pid_t child = fork();

	if (!child)
		_exit(fn());
	return child;
}

static int return_7(void)
{
	return 7;
}

static int wait_for_ever(void)
{
	while (getpid())
		pause();
	return 0;
}

static int spin(void)
{
	while (watched_word)
		;
	return 0;
}

static void end(pid_t child)
{
	int status;

	check(!kill(child, SIGKILL));
	check(waitpid(child, &status, __WALL) == child && WIFSIGNALED(status) &&
	      WTERMSIG(status) == SIGKILL);
}

/* Returns a field of /proc/<pid>/status. */
static void status_field(pid_t pid, const char *name, char *to, size_t size)
{
	char path[64], line[256];
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	f = fopen(path, "r");
	to[0] = '\0';
	while (f && fgets(line, sizeof(line), f))
		if (!strncmp(line, name, strlen(name)) && line[strlen(name)] == ':')
			snprintf(to, size, "%s", line + strlen(name) + 2);
	if (f)
		fclose(f);
}

/* --- Errors --- */

static void check_errors(void)
{
	struct user_regs_struct regs;
	pid_t child = plain_child(wait_for_ever);
	long word;

	check_error(request(PTRACE_CONT, child, 0, 0), ESRCH);
	check_error(request(PTRACE_ATTACH, 999999, 0, 0), ESRCH);
	check_error(request(PTRACE_ATTACH, getpid(), 0, 0), EPERM);
	check_error(request(PTRACE_SEIZE, child, 1, 0), EIO);
	check_error(request(PTRACE_SEIZE, child, 0, 1u << 31), EIO);
	check_error(request(12345, child, 0, 0), ESRCH);
	check(!request(PTRACE_ATTACH, child, 0, 0));
	check_error(request(PTRACE_ATTACH, child, 0, 0), EPERM);
	check(is_stop(next_status(child), SIGSTOP));
	check_error(request(12345, child, 0, 0), EIO);
	check_error(request(PTRACE_CONT, child, 0, 65), EIO);
	check_error(request(PTRACE_INTERRUPT, child, 0, 0), EIO);
	check_error(request(PTRACE_LISTEN, child, 0, 0), EIO);
	check_error(request(PTRACE_SETOPTIONS, child, 0, 1u << 31), EINVAL);
	check_error(request(PTRACE_PEEKDATA, child, 8, (uintptr_t)&word), EIO);
	check_error(request(PTRACE_POKEDATA, child, 8, 1), EIO);
	check_error(request(PTRACE_PEEKDATA, child, (uintptr_t)&word, 8), EFAULT);
	check_error(request(PTRACE_PEEKUSR, child, KERNEL_USER_BYTES, (uintptr_t)&word), EIO);
	check_error(request(PTRACE_PEEKUSR, child, 3, (uintptr_t)&word), EIO);
	check_error(request(PTRACE_POKEUSR, child, sizeof(regs) + 8, 0), EIO);
	check_error(request(PTRACE_GETREGS, child, 0, 8), EFAULT);
	check_error(request(PTRACE_SETREGS, child, 0, 8), EFAULT);
	regs = regs_of(child);
	regs.fs_base = 1ull << 63;
	check_error(request(PTRACE_SETREGS, child, 0, (uintptr_t)&regs), EIO);
	check_error(request(PTRACE_GETREGSET, child, 77, (uintptr_t) & (struct iovec){&regs, 8}),
		    EINVAL);
	check(!request(PTRACE_DETACH, child, 0, 0));
	check_error(request(PTRACE_DETACH, child, 0, 0), ESRCH);
	end(child);
	check_error(request(PTRACE_ATTACH, child, 0, 0), ESRCH);
}

static int trace_me_twice(void)
{
	return request(PTRACE_TRACEME, 0, 0, 0) == -1 && errno == EPERM ? 3 : 4;
}

static void check_trace_me(void)
{
	pid_t child = traced_child(trace_me_twice);
	char text[64];

	status_field(child, "State", text, sizeof(text));
	check(!strcmp(text, "t (tracing stop)\n"));
	status_field(child, "TracerPid", text, sizeof(text));
	check(atoi(text) == getpid());
	check(!request(PTRACE_CONT, child, 0, 0));
	check(is_exit(next_status(child), 3));
}

/* --- Registers --- */

static void check_registers(void)
{
	pid_t child = traced_child(return_7);
	struct user_regs_struct regs = regs_of(child), again;
	struct user_fpregs_struct fp;
	struct iovec part = {&again, sizeof(again)};
	static unsigned char state[8192] __attribute__((aligned(64)));
	uint64_t features;

	check(regs.cs == 0x33 && regs.ss == 0x2b && !regs.ds && !regs.es);
	check((unsigned long)peek(PTRACE_PEEKUSR, child, offsetof(struct user, regs.rip)) ==
	      regs.rip);
	check(!request(PTRACE_GETREGSET, child, NT_PRSTATUS, (uintptr_t)&part));
	check(part.iov_len == sizeof(again) && !memcmp(&regs, &again, sizeof(regs)));
	part.iov_len = 16;
	check(!request(PTRACE_GETREGSET, child, NT_PRSTATUS, (uintptr_t)&part) &&
	      part.iov_len == 16);

	/* The signal came by tgkill(2), which has returned: its result may be another. */
	check(regs.rax == 0 && regs.orig_rax == SYS_tgkill);
	regs.r15 = 0x123456789abcdef0;
	regs.eflags |= 1;
	check(!request(PTRACE_SETREGS, child, 0, (uintptr_t)&regs));
	again = regs_of(child);
	check(again.r15 == regs.r15 && again.eflags & 1);
	check(!request(PTRACE_POKEUSR, child, offsetof(struct user, regs.r15), 5));
	check(peek(PTRACE_PEEKUSR, child, offsetof(struct user, regs.r15)) == 5);

	check(!request(PTRACE_GETFPREGS, child, 0, (uintptr_t)&fp));
	check(fp.cwd == 0x37f && fp.mxcsr == 0x1f80);
	fp.xmm_space[3] = 77;
	check(!request(PTRACE_SETFPREGS, child, 0, (uintptr_t)&fp));
	part = (struct iovec){state, sizeof(state)};
	check(!request(PTRACE_GETREGSET, child, NT_X86_XSTATE, (uintptr_t)&part));
	memcpy(&features, state + 464, sizeof(features));
	check(part.iov_len >= 576 && (features & 3) == 3);
	check(!memcmp(state + 160 + 12, &(int){77}, 4));
	check(!request(PTRACE_SETREGSET, child, NT_X86_XSTATE, (uintptr_t)&part));
	fp.mxcsr = 1u << 31;
	check_error(request(PTRACE_SETFPREGS, child, 0, (uintptr_t)&fp), EINVAL);
	end(child);
}

/* Makes the child call getpid(), by registers alone, and restores them. */
static void check_inferior_call(void)
{
	pid_t child = plain_child(wait_for_ever);
	struct user_regs_struct regs, call;
	long code;

	check(!request(PTRACE_ATTACH, child, 0, 0));
	check(is_stop(next_status(child), SIGSTOP));
	call = regs = regs_of(child);
	code = peek(PTRACE_PEEKTEXT, child, regs.rip & ~7ul);
	check(!request(PTRACE_POKETEXT, child, regs.rip & ~7ul, 0xcccccccccc050fcc)); /* syscall */
	call.rip = (regs.rip & ~7ul) + 1;
	call.rax = SYS_getpid;
	call.orig_rax = -1ul;
	check(!request(PTRACE_SETREGS, child, 0, (uintptr_t)&call));
	check(!request(PTRACE_CONT, child, 0, 0));
	check(is_stop(next_status(child), SIGTRAP));
	call = regs_of(child);
	check((pid_t)call.rax == child && call.rip == (regs.rip & ~7ul) + 4);
	check(!request(PTRACE_POKETEXT, child, regs.rip & ~7ul, (uintptr_t)code));
	check(!request(PTRACE_SETREGS, child, 0, (uintptr_t)&regs));
	check(!request(PTRACE_DETACH, child, 0, 0));
	end(child);
}

/* An address where no code can be ends the child, like any other fault. */
static void check_bad_address(void)
{
	pid_t child = traced_child(return_7);
	int status;

	check(!request(PTRACE_POKEUSR, child, offsetof(struct user, regs.rip), 1ul << 63));
	check(!request(PTRACE_CONT, child, 0, 0));
	check(is_stop(next_status(child), SIGSEGV));
	check(!request(PTRACE_CONT, child, 0, SIGSEGV));
	status = next_status(child);
	check(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
}

/* --- Memory --- */

static void check_memory(void)
{
	pid_t child = traced_child(return_7);
	char path[64];
	long word = 0, local[2] = {0};
	struct iovec here = {local, sizeof(local)},
		     there[2] = {{(void *)&watched_word, 8}, {nowhere, 8}};
	int fd;

	check(peek(PTRACE_PEEKDATA, child, (uintptr_t)&watched_word) == watched_word);
	check(!request(PTRACE_POKEDATA, child, (uintptr_t)&watched_word, 42));
	check(peek(PTRACE_PEEKDATA, child, (uintptr_t)&watched_word) == 42);
	check(watched_word == 0x1122334455667788);

	snprintf(path, sizeof(path), "/proc/%d/mem", child);
	fd = open(path, O_RDWR);
	check(fd >= 0);
	check(pread(fd, &word, 8, (off_t)(uintptr_t)&watched_word) == 8 && word == 42);
	word = 43;
	check(pwrite(fd, &word, 8, (off_t)(uintptr_t)&watched_word) == 8);
	check_error(pread(fd, &word, 8, 8), EIO);
	/* Code, which the child itself may not write. */
	check(pread(fd, &word, 8, (off_t)(uintptr_t)return_7) == 8);
	check(pwrite(fd, &word, 8, (off_t)(uintptr_t)return_7) == 8);
	close(fd);

	check(process_vm_readv(child, &here, 1, there, 1, 0) == 8 && local[0] == 43);
	check(process_vm_readv(child, &here, 1, there, 2, 0) == 8);
	check_error(process_vm_readv(child, &here, 1, there + 1, 1, 0), EFAULT);
	check_error(process_vm_readv(child, &here, 1, there, 1, 1), EINVAL);
	check_error(process_vm_readv(999999, &here, 1, there, 1, 0), ESRCH);
	local[0] = 44;
	check(process_vm_writev(child, &here, 1, there, 1, 0) == 8);
	check(peek(PTRACE_PEEKDATA, child, (uintptr_t)&watched_word) == 44);
	end(child);
}

/* --- Signals --- */

static volatile sig_atomic_t taken;

static void on_signal(int number)
{
	taken = number;
}

static int take_signals(void)
{
	signal(SIGUSR1, on_signal);
	signal(SIGUSR2, on_signal);
	raise(SIGUSR1);
	return taken;
}

static void check_signals(void)
{
	pid_t child = traced_child(take_signals);
	siginfo_t info;
	sigset_t set;

	check(!request(PTRACE_GETSIGMASK, child, 8, (uintptr_t)&set));
	check_error(request(PTRACE_GETSIGMASK, child, 4, (uintptr_t)&set), EINVAL);
	check(!request(PTRACE_SETSIGMASK, child, 8, (uintptr_t)&set));
	check(!request(PTRACE_CONT, child, 0, 0));
	check(is_stop(next_status(child), SIGUSR1));
	check(!request(PTRACE_GETSIGINFO, child, 0, (uintptr_t)&info));
	check(info.si_signo == SIGUSR1 && info.si_code == SI_TKILL && info.si_pid == child);
	check(!request(PTRACE_SETSIGINFO, child, 0, (uintptr_t)&info));
	check(!request(PTRACE_CONT, child, 0, SIGUSR2)); /* another one in its place */
	check(is_exit(next_status(child), SIGUSR2));

	child = traced_child(take_signals);
	check(!request(PTRACE_CONT, child, 0, 0));
	check(is_stop(next_status(child), SIGUSR1));
	check(!request(PTRACE_CONT, child, 0, 0)); /* none */
	check(is_exit(next_status(child), 0));

	child = traced_child(take_signals);
	check(!request(PTRACE_CONT, child, 0, 0));
	check(is_stop(next_status(child), SIGUSR1));
	check(!request(PTRACE_DETACH, child, 0, SIGUSR1));
	check(is_exit(next_status(child), SIGUSR1));
}

static int ignore_signals(void)
{
	signal(SIGUSR1, SIG_IGN);
	raise(SIGUSR1);
	raise(SIGWINCH);
	return 5;
}

/* A tracer sees signals that the task ignores. */
static void check_ignored_signals(void)
{
	pid_t child = traced_child(ignore_signals);

	check(!request(PTRACE_CONT, child, 0, 0));
	check(is_stop(next_status(child), SIGUSR1));
	check(!request(PTRACE_CONT, child, 0, SIGUSR1));
	check(is_stop(next_status(child), SIGWINCH));
	check(!request(PTRACE_CONT, child, 0, SIGWINCH));
	check(is_exit(next_status(child), 5));
}

static void check_wait(void)
{
	pid_t child = plain_child(wait_for_ever);
	siginfo_t info = {0};
	int status;

	check(!request(PTRACE_ATTACH, child, 0, 0));
	check(!waitid(P_PID, (id_t)child, &info, WSTOPPED | WNOWAIT));
	check(info.si_pid == child && info.si_code == CLD_TRAPPED && info.si_status == SIGSTOP);
	check(is_stop(next_status(child), SIGSTOP));
	check(waitpid(child, &status, WNOHANG | __WALL) == 0);
	end(child);
	check_error(waitpid(child, &status, __WALL), ECHILD);
}

/* --- Steps and breakpoints --- */

/* Counts instructions of a child's task in ring 3. */
static int count_of(pid_t child)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_HW_INSTRUCTIONS,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};

	return (int)syscall(SYS_perf_event_open, &attr, child, -1, -1, 0);
}

extern const char nops_begin[], nops_end[];

static __attribute__((noinline)) int run_nops(void)
{
	__asm__ volatile("nops_begin: .rept 20; nop; .endr; nops_end:");
	return 6;
}

static void check_steps(int counted)
{
	pid_t child = traced_child(run_nops);
	struct user_regs_struct regs;
	siginfo_t info;
	int fd = counted ? count_of(child) : -1, steps = 0;
	uint64_t before = 0, after = 0;

	check(!request(PTRACE_POKEUSR, child, offsetof(struct user, regs.rip),
		       (uintptr_t)nops_begin));
	if (counted)
		check(read(fd, &before, 8) == 8);
	do {
		check(!request(PTRACE_SINGLESTEP, child, 0, 0));
		if (!check(is_stop(next_status(child), SIGTRAP)))
			break;
		steps++;
		regs = regs_of(child);
	} while (regs.rip != (uintptr_t)nops_end && steps < 100);
	check(steps == 20 && !(regs.eflags & 0x100));
	if (counted)
		check(read(fd, &after, 8) == 8 && after - before == 20 && !close(fd));
	check(!request(PTRACE_GETSIGINFO, child, 0, (uintptr_t)&info));
	check(info.si_code == TRAP_TRACE);
	end(child);
}

static int call_getppid(void)
{
	long result;

	__asm__ volatile("before_call: syscall\n after_call: nop"
			 : "=a"(result)
			 : "0"(SYS_getppid)
			 : "rcx", "r11", "memory");
	return result == getppid();
}
extern const char before_call[], after_call[];

/* A breakpoint in code, and a step over a system call. */
static void check_breakpoint(void)
{
	pid_t child = traced_child(call_getppid);
	const long code = peek(PTRACE_PEEKTEXT, child, (uintptr_t)before_call);
	struct user_regs_struct regs;

	check(!request(PTRACE_POKETEXT, child, (uintptr_t)before_call,
		       (uintptr_t)((code & ~0xffl) | 0xcc)));
	check(!request(PTRACE_CONT, child, 0, 0));
	check(is_stop(next_status(child), SIGTRAP));
	regs = regs_of(child);
	check(regs.rip == (uintptr_t)before_call + 1);
	check(!request(PTRACE_POKETEXT, child, (uintptr_t)before_call, (uintptr_t)code));
	regs.rip--;
	check(!request(PTRACE_SETREGS, child, 0, (uintptr_t)&regs));
	check(!request(PTRACE_SINGLESTEP, child, 0, 0));
	check(is_stop(next_status(child), SIGTRAP));
	regs = regs_of(child);
	check(regs.rip == (uintptr_t)after_call && (pid_t)regs.rax == getpid());
	check(!request(PTRACE_CONT, child, 0, 0));
	check(is_exit(next_status(child), 1));
}

static int step_into_handler(void)
{
	signal(SIGUSR1, on_signal);
	raise(SIGUSR1);
	return taken;
}

static void check_step_into_handler(void)
{
	pid_t child = traced_child(step_into_handler);

	check(!request(PTRACE_CONT, child, 0, 0));
	check(is_stop(next_status(child), SIGUSR1));
	check(!request(PTRACE_SINGLESTEP, child, 0, SIGUSR1));
	check(is_stop(next_status(child), SIGTRAP));
	check(regs_of(child).rip == (uintptr_t)on_signal);
	check(!request(PTRACE_CONT, child, 0, 0));
	check(is_exit(next_status(child), SIGUSR1));
}

static int write_word(void)
{
	watched_word = 5;
	watched_word = 6;
	return 8;
}

/* Debug registers, which events of PERF_TYPE_BREAKPOINT share. */
static void check_debug_registers(void)
{
	pid_t child = traced_child(write_word);
	siginfo_t info;

	check(!peek(PTRACE_PEEKUSR, child, DEBUG_REGISTER(7)));
	check_error(request(PTRACE_POKEUSR, child, DEBUG_REGISTER(4), 1), EIO);
	check(!request(PTRACE_POKEUSR, child, DEBUG_REGISTER(0), (uintptr_t)&watched_word));
	check(!request(PTRACE_POKEUSR, child, DEBUG_REGISTER(7), 1 | 0xdul << 16));
	check(peek(PTRACE_PEEKUSR, child, DEBUG_REGISTER(0)) == (long)&watched_word);
	check(!request(PTRACE_CONT, child, 0, 0));
	for (long value = 5; value <= 6; value++) {
		check(is_stop(next_status(child), SIGTRAP));
		check(peek(PTRACE_PEEKDATA, child, (uintptr_t)&watched_word) == value);
		check(!request(PTRACE_GETSIGINFO, child, 0, (uintptr_t)&info));
		check(info.si_code == TRAP_HWBKPT);
		check((peek(PTRACE_PEEKUSR, child, DEBUG_REGISTER(6)) & 15) == 1);
		check(!request(PTRACE_POKEUSR, child, DEBUG_REGISTER(6), 0));
		check(!request(PTRACE_CONT, child, 0, 0));
	}
	check(is_exit(next_status(child), 8));

	child = traced_child(return_7);
	check(!request(PTRACE_POKEUSR, child, DEBUG_REGISTER(1), (uintptr_t)return_7));
	check(!request(PTRACE_POKEUSR, child, DEBUG_REGISTER(7), 4));
	check(!request(PTRACE_CONT, child, 0, 0));
	check(is_stop(next_status(child), SIGTRAP));
	check(regs_of(child).rip == (uintptr_t)return_7);
	check(!request(PTRACE_CONT, child, 0, 0));
	check(is_exit(next_status(child), 7));
}

/* --- System calls --- */

static int two_calls(void)
{
	return (syscall(SYS_getppid) == 4711) * 2 + (syscall(SYS_getpgid, 0) == 11);
}

static struct ptrace_syscall_info call_of(pid_t child)
{
	struct ptrace_syscall_info info = {0};

	check(request(PTRACE_GET_SYSCALL_INFO, child, sizeof(info), (uintptr_t)&info) > 0);
	return info;
}

static void next_call(pid_t child)
{
	check(!request(PTRACE_SYSCALL, child, 0, 0));
	check(next_status(child) >> 8 == (SIGTRAP | 0x80));
}

static void check_calls(void)
{
	pid_t child = traced_child(two_calls);
	struct ptrace_syscall_info info = call_of(child);
	struct user_regs_struct regs;

	check(info.op == PTRACE_SYSCALL_INFO_NONE && info.arch == 0xc000003e);
	check(!request(PTRACE_SETOPTIONS, child, 0, PTRACE_O_TRACESYSGOOD));
	do
		next_call(child);
	while (call_of(child).entry.nr != SYS_getppid);
	check(call_of(child).op == PTRACE_SYSCALL_INFO_ENTRY);
	regs = regs_of(child);
	check(regs.orig_rax == SYS_getppid && regs.rax == -(unsigned long)ENOSYS);
	check(regs.rcx == regs.rip);
	next_call(child);
	info = call_of(child);
	check(info.op == PTRACE_SYSCALL_INFO_EXIT && info.exit.rval == getpid());
	check(!request(PTRACE_POKEUSR, child, offsetof(struct user, regs.rax), 4711));
	next_call(child);
	info = call_of(child);
	check(info.entry.nr == SYS_getpgid);
	check(!request(PTRACE_POKEUSR, child, offsetof(struct user, regs.orig_rax), -1ul));
	check(!request(PTRACE_POKEUSR, child, offsetof(struct user, regs.rax), 11));
	next_call(child);
	check(!request(PTRACE_CONT, child, 0, 0));
	check(is_exit(next_status(child), 3));
}

static int many_calls(void)
{
	for (int i = 0; i < 100; i++)
		syscall(SYS_getppid);
	return 1;
}

/* The child executes as many instructions as without a tracer: SYSCALL runs once. */
static uint64_t instructions_of(long how)
{
	pid_t child = traced_child(many_calls);
	int fd = count_of(child), status;
	uint64_t n = 0;

	do {
		check(!request(how, child, 0, 0));
		status = next_status(child);
	} while (WIFSTOPPED(status));
	check(is_exit(status, 1));
	check(read(fd, &n, 8) == 8);
	close(fd);
	return n;
}

static void check_counts(void)
{
	check(instructions_of(PTRACE_CONT) == instructions_of(PTRACE_SYSCALL));
}

/* --- Events --- */

static int fork_and_exec(void)
{
	int status;
	pid_t child = fork();

	if (!child) {
		execl(self, self, "exec", NULL);
		_exit(1);
	}
	waitpid(child, &status, 0);
	child = vfork();
	if (!child)
		_exit(12);
	waitpid(child, &status, 0);
	return WEXITSTATUS(status);
}

static void check_events(void)
{
	pid_t child = traced_child(fork_and_exec);
	unsigned long message = 0;
	pid_t other;

	check(!request(PTRACE_SETOPTIONS, child, 0,
		       PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACEVFORKDONE |
			       PTRACE_O_TRACEEXEC | PTRACE_O_TRACEEXIT));
	check(!request(PTRACE_CONT, child, 0, 0));
	check(is_event(next_status(child), PTRACE_EVENT_FORK));
	check(!request(PTRACE_GETEVENTMSG, child, 0, (uintptr_t)&message));
	other = (pid_t)message;
	check(is_stop(next_status(other), SIGSTOP));
	check(!request(PTRACE_CONT, child, 0, 0));
	check(!request(PTRACE_CONT, other, 0, 0));
	check(is_event(next_status(other), PTRACE_EVENT_EXEC));
	check(!request(PTRACE_GETEVENTMSG, other, 0, (uintptr_t)&message));
	check((pid_t)message == other);
	check(!request(PTRACE_CONT, other, 0, 0));
	check(is_event(next_status(other), PTRACE_EVENT_EXIT));
	check(!request(PTRACE_GETEVENTMSG, other, 0, (uintptr_t)&message));
	check(message == 33 << 8);
	check(!request(PTRACE_CONT, other, 0, 0));
	check(is_exit(next_status(other), 33)); /* before its parent is told */
	check(is_stop(next_status(child), SIGCHLD));
	check(!request(PTRACE_CONT, child, 0, SIGCHLD));

	check(is_event(next_status(child), PTRACE_EVENT_VFORK));
	check(!request(PTRACE_GETEVENTMSG, child, 0, (uintptr_t)&message));
	other = (pid_t)message;
	check(is_stop(next_status(other), SIGSTOP));
	check(!request(PTRACE_DETACH, other, 0, 0));
	check(!request(PTRACE_CONT, child, 0, 0));
	check(is_event(next_status(child), PTRACE_EVENT_VFORK_DONE));
	check(!request(PTRACE_CONT, child, 0, 0));
	check(is_stop(next_status(child), SIGCHLD));
	check(!request(PTRACE_CONT, child, 0, 0));
	check(is_event(next_status(child), PTRACE_EVENT_EXIT));
	check(!request(PTRACE_CONT, child, 0, 0));
	check(is_exit(next_status(child), 12));
}

static int exec_self(void)
{
	execl(self, self, "exec", NULL);
	return 1;
}

static void check_exec_trap(void)
{
	pid_t child = traced_child(exec_self);

	check(!request(PTRACE_CONT, child, 0, 0));
	check(is_stop(next_status(child), SIGTRAP));
	check(!request(PTRACE_CONT, child, 0, 0));
	check(is_exit(next_status(child), 33));
}

static void *thread_ends(void *arg)
{
	return arg;
}

static int start_thread(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, thread_ends, NULL);
	pthread_join(thread, NULL);
	return 9;
}

static void check_clones(void)
{
	pid_t child = traced_child(start_thread), thread;
	unsigned long message = 0;

	check(!request(PTRACE_SETOPTIONS, child, 0, PTRACE_O_TRACECLONE));
	check(!request(PTRACE_CONT, child, 0, 0));
	check(is_event(next_status(child), PTRACE_EVENT_CLONE));
	check(!request(PTRACE_GETEVENTMSG, child, 0, (uintptr_t)&message));
	thread = (pid_t)message;
	check(is_stop(next_status(thread), SIGSTOP));
	/* The thread is over before its process can end it. */
	check(!request(PTRACE_CONT, thread, 0, 0));
	check(is_exit(next_status(thread), 0));
	check(!request(PTRACE_CONT, child, 0, 0));
	check(is_exit(next_status(child), 9));
}

/* --- Seized tasks, and job control --- */

static void check_seize(void)
{
	pid_t child = plain_child(spin);
	siginfo_t info;

	check(!request(PTRACE_SEIZE, child, 0, PTRACE_O_TRACESYSGOOD));
	check_error(request(PTRACE_CONT, child, 0, 0), ESRCH);
	check(!request(PTRACE_INTERRUPT, child, 0, 0));
	check(is_event(next_status(child), PTRACE_EVENT_STOP));
	check(!request(PTRACE_GETSIGINFO, child, 0, (uintptr_t)&info));
	check(info.si_signo == SIGTRAP);
	check(!request(PTRACE_CONT, child, 0, 0));

	/* A stop of the whole process: the task listens until SIGCONT. */
	check(!kill(child, SIGSTOP));
	check(is_stop(next_status(child), SIGSTOP));
	check(!request(PTRACE_CONT, child, 0, SIGSTOP));
	check(next_status(child) >> 8 == (SIGSTOP | PTRACE_EVENT_STOP << 8));
	check(!request(PTRACE_LISTEN, child, 0, 0));
	check_error(request(PTRACE_CONT, child, 0, 0), ESRCH);
	check(!kill(child, SIGCONT));
	check(is_event(next_status(child), PTRACE_EVENT_STOP));
	check(!request(PTRACE_CONT, child, 0, 0));
	check(is_stop(next_status(child), SIGCONT));
	check(!request(PTRACE_CONT, child, 0, SIGCONT));
	end(child);

	child = plain_child(wait_for_ever);
	check(!request(PTRACE_SEIZE, child, 0, 0));
	check(!request(PTRACE_INTERRUPT, child, 0, 0));
	check(is_event(next_status(child), PTRACE_EVENT_STOP));
	check(!request(PTRACE_DETACH, child, 0, 0));
	end(child);
}

static void check_job(void)
{
	pid_t child = plain_child(wait_for_ever);
	siginfo_t info = {0};
	char text[64];
	int status;

	check(!kill(child, SIGSTOP));
	check(waitpid(child, &status, WUNTRACED) == child && is_stop(status, SIGSTOP));
	status_field(child, "State", text, sizeof(text));
	check(!strcmp(text, "T (stopped)\n"));
	check(waitpid(child, &status, WUNTRACED | WNOHANG) == 0);
	check(!kill(child, SIGCONT));
	check(waitpid(child, &status, WCONTINUED) == child && WIFCONTINUED(status));
	check(!kill(child, SIGSTOP));
	check(!waitid(P_PID, (id_t)child, &info, WSTOPPED));
	check(info.si_code == CLD_STOPPED && info.si_status == SIGSTOP);
	/* A tracer takes a stopped process over, and leaves it stopped. */
	check(!request(PTRACE_ATTACH, child, 0, 0));
	check(is_stop(next_status(child), SIGSTOP));
	check(!request(PTRACE_DETACH, child, 0, 0));
	check(!kill(child, SIGCONT));
	end(child);
}

/* A tracer that ends detaches its tasks, or kills them. */
static int seize_and_end(pid_t child, unsigned long options)
{
	return request(PTRACE_SEIZE, child, 0, options) ? 1 : 0;
}

static void check_tracer_ends(void)
{
	for (int kills = 0; kills < 2; kills++) {
		pid_t child = plain_child(wait_for_ever), tracer = fork();
		int status;

		if (!tracer)
			_exit(seize_and_end(child, kills ? PTRACE_O_EXITKILL : 0));
		check(is_exit(next_status(tracer), 0));
		if (!kills)
			check(!kill(child, SIGTERM));
		status = next_status(child);
		check(WIFSIGNALED(status) && WTERMSIG(status) == (kills ? SIGKILL : SIGTERM));
	}
}

/* A tracer that is not the parent is told of the end first. */
static void check_other_tracer(void)
{
	int fd[2], status;
	pid_t child = plain_child(wait_for_ever), tracer;
	char c;

	check(!pipe(fd));
	tracer = fork();
	if (!tracer) {
		int ok = !request(PTRACE_SEIZE, child, 0, 0) && write(fd[1], "x", 1) == 1 &&
			 waitpid(child, &status, __WALL) == child && is_stop(status, SIGTERM) &&
			 !request(PTRACE_CONT, child, 0, SIGTERM) &&
			 waitpid(child, &status, __WALL) == child && WIFSIGNALED(status);

		_exit(ok ? 21 : 22);
	}
	check(read(fd[0], &c, 1) == 1);
	check(!kill(child, SIGTERM));
	check(is_exit(next_status(tracer), 21));
	status = next_status(child);
	check(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
	close(fd[0]);
	close(fd[1]);
}

/* --- Counters of attached tasks --- */

static struct perf_event_attr instructions_of_child(void)
{
	return (struct perf_event_attr){
		.type = PERF_TYPE_HARDWARE,
		.size = sizeof(struct perf_event_attr),
		.config = PERF_COUNT_HW_INSTRUCTIONS,
		.exclude_kernel = 1,
		.exclude_hv = 1,
		.disabled = 1,
		.pinned = 1,
	};
}

/* The group of a task that has ended can still be read at once. */
static void check_group_of_attached(void)
{
	struct perf_event_attr attr = instructions_of_child();
	pid_t child = traced_child(many_calls);
	uint64_t values[8] = {0};
	int fd, other;

	attr.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID;
	fd = (int)syscall(SYS_perf_event_open, &attr, child, -1, -1, 0);
	attr.read_format = attr.disabled = attr.pinned = 0;
	other = (int)syscall(SYS_perf_event_open, &attr, child, -1, fd, 0);
	check(fd >= 0 && other >= 0);
	check(!ioctl(fd, PERF_EVENT_IOC_ENABLE, 0));
	check(!request(PTRACE_CONT, child, 0, 0));
	check(is_exit(next_status(child), 1));
	check(read(fd, values, sizeof(values)) == 5 * 8);
	check(values[0] == 2 && values[1] > 200 && values[1] == values[3]);
	close(other);
	close(fd);
}

static int stop_twice(void)
{
	raise(SIGSTOP);
	raise(SIGSTOP);
	return 0;
}

/* An event is enabled and disabled while the task is stopped: times in its page cover only running
 * time. No other task can read its counter by RDPMC. */
static void check_page_of_attached(void)
{
	struct perf_event_attr attr = instructions_of_child();
	pid_t child = traced_child(stop_twice);
	struct perf_event_mmap_page *page;
	int fd;

	fd = (int)syscall(SYS_perf_event_open, &attr, child, -1, -1, 0);
	page = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
	if (!check(fd >= 0 && page != MAP_FAILED))
		return;
	for (int i = 0; i < 2; i++)
		check(!ioctl(fd, PERF_EVENT_IOC_ENABLE, 0) &&
		      !ioctl(fd, PERF_EVENT_IOC_DISABLE, 0));
	check(!ioctl(fd, PERF_EVENT_IOC_ENABLE, 0));
	for (int i = 0; i < 2; i++) {
		check(!request(PTRACE_CONT, child, 0, 0));
		check(is_stop(next_status(child), SIGSTOP));
	}
	check(!page->index && page->time_enabled && page->time_enabled == page->time_running);
	munmap(page, 4096);
	close(fd);
	end(child);
}

/* A task may measure the tasks that it traces, also those that are not its children. */
static void check_measure_traced(void)
{
	struct perf_event_attr attr = instructions_of_child();
	const pid_t child = plain_child(wait_for_ever), tracer = fork();

	if (!tracer) {
		const int before = (int)syscall(SYS_perf_event_open, &attr, child, -1, -1, 0),
			  why = errno, seized = !request(PTRACE_SEIZE, child, 0, 0);

		_exit(before == -1 && why == EACCES && seized &&
				      syscall(SYS_perf_event_open, &attr, child, -1, -1, 0) >= 0
			      ? 0
			      : 1);
	}
	check(is_exit(next_status(tracer), 0));
	end(child);
}

/* --- Random requests of a tracer --- */

static uint64_t seed;

/* xorshift64 */
static uint64_t any(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	return seed ^= seed << 17;
}

static uint64_t any_of(uint64_t n)
{
	return (any() >> 16) % n;
}

/* Draws addresses with memory, and addresses where no memory can be. */
static uint64_t any_word(void)
{
	const uint64_t words[] = {
		0,
		8,
		(uint64_t)&watched_word,
		(uint64_t)return_7,
		1ull << 47,
		1ull << 63,
		-1ull,
		any_of(64),
		any_of(512),
		any(),
		(uint64_t)&seed & ~4095ull,
	};

	return words[any_of(sizeof(words) / sizeof(words[0]))];
}

static int busy_child(void)
{
	for (;;) {
		syscall(SYS_getppid);
		if (!fork())
			_exit(0);
		waitpid(-1, NULL, WNOHANG);
		watched_word++;
	}
	return 0;
}

static void change_child(pid_t child)
{
	static unsigned char state[8192];
	struct user_regs_struct regs;
	struct iovec part = {state, sizeof(state)};

	switch (any_of(6)) {
	case 0:
		if (request(PTRACE_GETREGS, child, 0, (uintptr_t)&regs))
			return;
		((unsigned long *)&regs)[any_of(27)] = any_word();
		request(PTRACE_SETREGS, child, 0, (uintptr_t)&regs);
		return;
	case 1:
		request(PTRACE_POKEUSR, child, any_of(120) * 8, any_word());
		return;
	case 2:
		request(PTRACE_POKEUSR, child, DEBUG_REGISTER(any_of(8)), any_word());
		return;
	case 3:
		request(PTRACE_POKEDATA, child, any_word(), any());
		return;
	case 4:
		if (request(PTRACE_GETREGSET, child, NT_X86_XSTATE, (uintptr_t)&part))
			return;
		state[any_of(part.iov_len)] = (unsigned char)any();
		request(PTRACE_SETREGSET, child, NT_X86_XSTATE, (uintptr_t)&part);
		return;
	default:
		request(PTRACE_SETOPTIONS, child, 0, any() & 0x1000ff);
	}
}

/* Random requests for a task that may have stopped anywhere, and for its children. */
static void drive_child(pid_t child)
{
	static const long ways[] = {PTRACE_CONT,   PTRACE_SYSCALL,   PTRACE_SINGLESTEP,
				    PTRACE_LISTEN, PTRACE_INTERRUPT, PTRACE_CONT};
	int status;

	for (int i = 0; i < 200; i++) {
		const pid_t other = waitpid(-1, &status, WNOHANG | __WALL);

		if (other == child && !WIFSTOPPED(status))
			return;
		change_child(child);
		if (!any_of(8))
			kill(child, any_of(2) ? SIGSTOP : SIGCONT);
		request(ways[any_of(6)], other > 0 ? other : child, 0, any_of(4) ? 0 : any_of(32));
	}
	kill(child, SIGKILL);
}

static int check_anything(const char *from, const char *rounds)
{
	for (int i = 0; i < atoi(rounds); i++) {
		pid_t tracer = fork(), child;

		if (!tracer) {
			seed = strtoull(from, NULL, 0) * 1000003 + (uint64_t)i + 1;
			child = plain_child(busy_child);
			request(any_of(2) ? PTRACE_SEIZE : PTRACE_ATTACH, child, 0, 0);
			drive_child(child);
			kill(child, SIGKILL);
			_exit(0);
		}
		check(is_exit(next_status(tracer), 0));
	}
	check_trace_me();
	return check_end();
}

/* These checks need counters and debug registers, which a host may lack. */
static int check_measured(void)
{
	check_steps(1);
	check_counts();
	check_debug_registers();
	check_group_of_attached();
	check_page_of_attached();
	check_measure_traced();
	return check_end();
}

int main(int argc, char **argv)
{
	self = argv[0];
	if (argc > 1 && !strcmp(argv[1], "exec"))
		return 33;
	if (argc > 1 && !strcmp(argv[1], "measured"))
		return check_measured();
	if (argc > 3 && !strcmp(argv[1], "anything"))
		return check_anything(argv[2], argv[3]);
	check_errors();
	check_trace_me();
	check_registers();
	check_inferior_call();
	check_bad_address();
	check_memory();
	check_signals();
	check_ignored_signals();
	check_wait();
	check_steps(0);
	check_breakpoint();
	check_step_into_handler();
	check_calls();
	check_events();
	check_exec_trap();
	check_clones();
	check_seize();
	check_job();
	check_tracer_ends();
	check_other_tracer();
	return check_end();
}
