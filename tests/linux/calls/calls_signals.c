// SPDX-License-Identifier: BSD-2-Clause
/* calls_signals.c - signals: sending, blocking, waiting, handlers, faults. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/resource.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "tests/linux/check.h"
#include "tests/linux/sleeper.h"

static volatile sig_atomic_t came[65];
static volatile int order[8], norder;
static siginfo_t last;

static void record_signal(int number, siginfo_t *info, void *context)
{
	(void)context;
	came[number]++;
	if (norder < 8)
		order[norder++] = number;
	last = *info;
}

static void catch_with(int number, int flags)
{
	struct sigaction action = {.sa_sigaction = record_signal, .sa_flags = SA_SIGINFO | flags};

	check(!sigaction(number, &action, NULL));
	came[number] = 0;
	norder = 0;
}

static sigset_t set_of(int a, int b)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, a);
	sigaddset(&set, b);
	return set;
}

static void check_sending(void)
{
	union sigval value = {.sival_int = 1234};

	catch_with(SIGUSR1, 0);
	check(!raise(SIGUSR1) && came[SIGUSR1] == 1 && last.si_code == SI_TKILL);
	check(!kill(getpid(), SIGUSR1) && came[SIGUSR1] == 2 && last.si_code == SI_USER);
	check(last.si_pid == getpid() && last.si_uid == getuid());
	check(!sigqueue(getpid(), SIGUSR1, value) && came[SIGUSR1] == 3);
	check(last.si_code == SI_QUEUE && last.si_value.sival_int == 1234);
	check(!syscall(SYS_tgkill, getpid(), gettid(), SIGUSR1) && came[SIGUSR1] == 4);
	check(!kill(getpid(), 0));
	check_error(kill(getpid(), 65), EINVAL);
	check_error(kill(999999, 0), ESRCH);
	check_error(syscall(SYS_tgkill, getpid(), 999999, SIGUSR1), ESRCH);
	check_error(sigaction(SIGKILL, &(struct sigaction){.sa_handler = SIG_IGN}, NULL), EINVAL);
	check_error(syscall(SYS_rt_sigaction, 65, NULL, NULL, 8), EINVAL);
	check_error(syscall(SYS_rt_sigaction, SIGUSR1, NULL, NULL, 4), EINVAL);
}

static void check_blocking(void)
{
	sigset_t both = set_of(SIGUSR1, SIGRTMIN + 2), pending, old;

	catch_with(SIGUSR1, 0);
	catch_with(SIGRTMIN + 2, 0);
	check(!sigprocmask(SIG_BLOCK, &both, &old) && !sigismember(&old, SIGUSR1));
	raise(SIGRTMIN + 2);
	raise(SIGRTMIN + 2);
	raise(SIGUSR1);
	raise(SIGUSR1);
	check(!came[SIGUSR1] && !sigpending(&pending));
	check(sigismember(&pending, SIGUSR1) && sigismember(&pending, SIGRTMIN + 2) &&
	      !sigismember(&pending, SIGUSR2));
	check(!sigprocmask(SIG_UNBLOCK, &both, NULL));
	check(came[SIGUSR1] == 1 && came[SIGRTMIN + 2] == 2); /* those of real time are all there */
	check_error(sigprocmask(99, &both, NULL), EINVAL);
	check_error(syscall(SYS_rt_sigprocmask, SIG_BLOCK, nowhere, NULL, 8), EFAULT);
}

static void check_waiting(void)
{
	sigset_t both = set_of(SIGUSR1, SIGUSR2), none;
	struct timespec ts = {0, 2000000};
	siginfo_t info;

	sigemptyset(&none);
	catch_with(SIGUSR1, 0);
	sigprocmask(SIG_BLOCK, &both, NULL);
	check_error(sigtimedwait(&both, &info, &ts), EAGAIN);
	kill(getpid(), SIGUSR2);
	check(sigwaitinfo(&both, &info) == SIGUSR2 && info.si_code == SI_USER);
	if (!fork()) {
		kill(getppid(), SIGUSR1);
		_exit(0);
	}
	check_error(sigsuspend(&none), EINTR);
	check(came[SIGUSR1] == 1);
	wait(NULL);
	sigprocmask(SIG_UNBLOCK, &both, NULL);
}

/* --- Two processes that wake each other --- */

#define ROUNDS 2000

static void await_signal(void)
{
	sigset_t none;

	sigemptyset(&none);
	while (!came[SIGUSR1])
		sigsuspend(&none);
	came[SIGUSR1] = 0;
}

/* SIGUSR1 is blocked but in sigsuspend(2), so a signal that is sent just before it ends the wait,
 * too. SIGALRM ends a process that waits for a signal that was lost. */
static void check_ping_pong(void)
{
	sigset_t usr1 = set_of(SIGUSR1, SIGUSR1);
	pid_t child, parent = getpid();
	int status;

	catch_with(SIGUSR1, 0);
	sigprocmask(SIG_BLOCK, &usr1, NULL);
	child = fork();
	alarm(120);
	for (int i = 0; i < ROUNDS; i++) {
		if (child)
			kill(child, SIGUSR1);
		await_signal();
		if (!child)
			kill(parent, SIGUSR1);
	}
	if (!child)
		_exit(0);
	check(waitpid(child, &status, 0) == child && !status);
	alarm(0);
	sigprocmask(SIG_UNBLOCK, &usr1, NULL);
}

/* --- A read that a signal interrupts --- */

struct reader {
	int fd[2];
	pthread_t self;
	pid_t tid;
};

static void *kick_and_write(void *arg)
{
	struct reader *r = arg;

	await_sleeper(getpid(), r->tid);
	pthread_kill(r->self, SIGUSR1);
	while (!came[SIGUSR1])
		sched_yield();
	check(write(r->fd[1], "x", 1) == 1);
	return NULL;
}

static void check_restart(int flags)
{
	struct reader r = {.self = pthread_self(), .tid = gettid()};
	pthread_t other;
	char c;
	ssize_t n;

	catch_with(SIGUSR1, flags);
	check(!pipe(r.fd) && !pthread_create(&other, NULL, kick_and_write, &r));
	n = read(r.fd[0], &c, 1);
	check(came[SIGUSR1] == 1);
	if (flags & SA_RESTART)
		check(n == 1);
	else
		check(n == -1 && errno == EINTR);
	pthread_join(other, NULL);
	close(r.fd[0]);
	close(r.fd[1]);
}

/* --- Faults --- */

static char *page;
static sigjmp_buf back;

static void mend(int number, siginfo_t *info, void *context)
{
	(void)context;
	check(number == SIGSEGV && info->si_addr == page + 8 && info->si_code == SEGV_ACCERR);
	mprotect(page, 4096, PROT_READ | PROT_WRITE);
}

static void jump(int number, siginfo_t *info, void *context)
{
	(void)context;
	came[number]++;
	last = *info;
	siglongjmp(back, 1);
}

static void skip(int number, siginfo_t *info, void *context)
{
	ucontext_t *uc = context;

	came[number]++;
	last = *info;
	if (number == SIGILL)
		uc->uc_mcontext.gregs[REG_RIP] += 2; /* behind ud2 */
}

static void set_handler(int number, void (*fn)(int, siginfo_t *, void *))
{
	struct sigaction action = {.sa_sigaction = fn, .sa_flags = SA_SIGINFO};

	check(!sigaction(number, &action, NULL));
	came[number] = 0;
}

static void check_faults(void)
{
	volatile int zero = 0;

	page = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	set_handler(SIGSEGV, mend);
	page[8] = 5;
	check(page[8] == 5);
	munmap(page, 4096);
	set_handler(SIGSEGV, jump);
	if (!sigsetjmp(back, 1))
		*(volatile char *)page = 1;
	check(came[SIGSEGV] == 1 && last.si_code == SEGV_MAPERR && last.si_addr == page);
	set_handler(SIGFPE, jump);
	if (!sigsetjmp(back, 1))
		zero = 5 / zero;
	check(came[SIGFPE] == 1 && last.si_code == FPE_INTDIV);
	set_handler(SIGILL, skip);
	__asm__ volatile("ud2");
	check(came[SIGILL] == 1 && last.si_code == ILL_ILLOPN);
	set_handler(SIGTRAP, skip);
	__asm__ volatile("int3");
	check(came[SIGTRAP] == 1);
	set_handler(SIGSEGV, jump);
	if (!sigsetjmp(back, 1))
		__asm__ volatile("hlt");
	check(came[SIGSEGV] == 1 && last.si_code == SI_KERNEL);
}

/* --- Handlers --- */

static volatile int depth, deepest, rounds;
static volatile uintptr_t inside;

static void nested(int number)
{
	if (++depth > deepest)
		deepest = depth;
	if (++rounds < 3)
		raise(number);
	depth--;
}

static void on_other_stack(int number)
{
	(void)number;
	inside = (uintptr_t)__builtin_frame_address(0);
}

static void check_handlers(void)
{
	struct sigaction action = {.sa_handler = nested, .sa_flags = SA_NODEFER}, old;
	static char room[64 << 10];
	stack_t stack = {.ss_sp = room, .ss_size = sizeof(room)}, before;

	sigaction(SIGUSR2, &action, NULL);
	raise(SIGUSR2);
	check(deepest == 3);
	deepest = rounds = 0;
	action.sa_flags = 0; /* the second one is delivered behind the first, not in it */
	sigaction(SIGUSR2, &action, NULL);
	raise(SIGUSR2);
	check(deepest == 1 && rounds == 3);
	catch_with(SIGUSR1, SA_RESETHAND);
	raise(SIGUSR1);
	check(came[SIGUSR1] == 1 && !sigaction(SIGUSR1, NULL, &old) && old.sa_handler == SIG_DFL);
	check(!sigaltstack(&stack, &before) && before.ss_flags == SS_DISABLE);
	action = (struct sigaction){.sa_handler = on_other_stack, .sa_flags = SA_ONSTACK};
	sigaction(SIGUSR1, &action, NULL);
	raise(SIGUSR1);
	check(inside - (uintptr_t)room < sizeof(room));
	stack.ss_size = 1;
	check_error(sigaltstack(&stack, NULL), ENOMEM);
	stack = (stack_t){.ss_flags = SS_DISABLE};
	check(!sigaltstack(&stack, NULL));
}

static void check_pipe(void)
{
	int fd[2];

	check(!pipe(fd));
	close(fd[0]);
	catch_with(SIGPIPE, 0);
	check_error(write(fd[1], "x", 1), EPIPE);
	check(came[SIGPIPE] == 1);
	signal(SIGPIPE, SIG_IGN);
	check_error(write(fd[1], "x", 1), EPIPE);
	close(fd[1]);
}

/* Returns the signal that ended a child, or the child's exit status, negated. */
static int ends_by(int number)
{
	int status;
	pid_t child = fork();

	if (!child) {
		signal(number, SIG_DFL);
		raise(number);
		_exit(7);
	}
	waitpid(child, &status, 0);
	return WIFSIGNALED(status) ? WTERMSIG(status) : -WEXITSTATUS(status);
}

static void check_defaults(void)
{
	check(ends_by(SIGTERM) == SIGTERM && ends_by(SIGKILL) == SIGKILL &&
	      ends_by(SIGUSR1) == SIGUSR1);
	check(ends_by(SIGSEGV) == SIGSEGV && ends_by(SIGRTMIN) == SIGRTMIN);
	check(ends_by(SIGCHLD) == -7 && ends_by(SIGURG) == -7 && ends_by(SIGWINCH) == -7);
}

/* Vector registers are the same after a handler that uses them. */
static void use_vectors(int number)
{
	(void)number;
	__asm__ volatile("pxor %%xmm5, %%xmm5" ::: "xmm5");
}

static void check_registers(void)
{
	uint64_t in = 0x123456789abcdef, out;

	signal(SIGUSR1, use_vectors);
	__asm__ volatile(
		"movq %1, %%xmm5\n\tmov %2, %%eax\n\tmov %3, %%edi\n\tmov %4, %%esi\n\tsyscall\n\t"
		"movq %%xmm5, %0"
		: "=r"(out)
		: "r"(in), "i"(SYS_tkill), "r"(gettid()), "i"(SIGUSR1)
		: "rax", "rdi", "rsi", "rcx", "r11", "memory", "xmm5");
	check(out == in);
}

/* --- How many may be pending: RLIMIT_SIGPENDING --- */

/* From /proc/self/status: how many are, and the limit; false: there is no such line. */
static int read_queued(unsigned *n, unsigned *most)
{
	FILE *status = fopen("/proc/self/status", "r");
	char line[256];
	int found = 0;

	while (status && !found && fgets(line, sizeof(line), status))
		found = sscanf(line, "SigQ: %u/%u", n, most) == 2;
	if (status)
		fclose(status);
	return found;
}

static int queue_until_full(int number, int most)
{
	int n = 0;

	while (n < most && !sigqueue(getpid(), number, (union sigval){.sival_int = n}))
		n++;
	return n;
}

static int take_all(const sigset_t *set)
{
	const struct timespec none = {0, 0};
	siginfo_t info;
	int n = 0;

	while (sigtimedwait(set, &info, &none) > 0)
		n++;
	return n;
}

/* The limit is for all tasks of the user together: at a limit of 0 no task has any left. */
static void check_pending_limit(void)
{
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN};
	struct rlimit limit, old;
	unsigned now = 0, most = 0;
	timer_t timer;
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGRTMIN);
	sigaddset(&set, SIGUSR1);
	check(!sigprocmask(SIG_BLOCK, &set, NULL) && read_queued(&now, &most));
	check(!getrlimit(RLIMIT_SIGPENDING, &old) && old.rlim_cur == most);
	check(queue_until_full(SIGRTMIN, 40) == 40 && read_queued(&now, &most) && now >= 40);
	limit = (struct rlimit){0, old.rlim_max};
	check(!setrlimit(RLIMIT_SIGPENDING, &limit) && read_queued(&now, &most) && most == 0);
	check_error(sigqueue(getpid(), SIGRTMIN, (union sigval){0}), EAGAIN);
	check_error(syscall(SYS_tgkill, getpid(), gettid(), SIGRTMIN), EAGAIN);
	check_error(timer_create(CLOCK_MONOTONIC, &event, &timer), EAGAIN);
	check(!kill(getpid(), SIGRTMIN) && !kill(getpid(), SIGUSR1) && !kill(getpid(), SIGUSR1));
	check(take_all(&set) == 41);
	check(!setrlimit(RLIMIT_SIGPENDING, &old));
	check(!timer_create(CLOCK_MONOTONIC, &event, &timer) && !timer_delete(timer));
}

int main(void)
{
	check_sending();
	check_blocking();
	check_waiting();
	check_ping_pong();
	check_restart(SA_RESTART);
	check_restart(0);
	check_faults();
	check_handlers();
	check_pipe();
	check_defaults();
	check_registers();
	check_pending_limit();
	return check_end();
}
