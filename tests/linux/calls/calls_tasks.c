// SPDX-License-Identifier: BSD-2-Clause
/* calls_tasks.c - attributes of tasks: prctl(2), priorities and policies, limits, personalities;
 * clone3(2), waiting; and the errors of these calls. */
#define _GNU_SOURCE
#include <asm/prctl.h>
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/times.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/linux/check.h"

#define NO_PID 0x3ffff0

static long prctl5(int option, unsigned long a, unsigned long b)
{
	return syscall(SYS_prctl, option, a, b, 0, 0);
}

/* --- prctl(2) --- */

static void check_prctl(void)
{
	int signal = -1, tsc = -1, status;
	char name[16];
	pid_t pid;

	check(!prctl5(PR_SET_PDEATHSIG, SIGUSR1, 0) && !prctl5(PR_GET_PDEATHSIG, (long)&signal, 0));
	check(signal == SIGUSR1);
	check_error(prctl5(PR_SET_PDEATHSIG, 999, 0), EINVAL);
	check_error(prctl5(PR_GET_PDEATHSIG, (long)nowhere, 0), EFAULT);
	pid = fork();
	if (!pid) { /* a child has none */
		prctl5(PR_GET_PDEATHSIG, (long)&signal, 0);
		_exit(signal);
	}
	check(waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0);
	check(!prctl5(PR_SET_PDEATHSIG, 0, 0));
	check(!prctl5(PR_GET_TSC, (long)&tsc, 0) && tsc == PR_TSC_ENABLE);
	check(!prctl5(PR_SET_TSC, PR_TSC_ENABLE, 0));
	check_error(prctl5(PR_SET_TSC, 7, 0), EINVAL);
	check_error(prctl5(PR_GET_TSC, (long)nowhere, 0), EFAULT);
	check(prctl5(PR_GET_DUMPABLE, 0, 0) == 1 && !prctl5(PR_SET_DUMPABLE, 0, 0));
	check(prctl5(PR_GET_DUMPABLE, 0, 0) == 0 && !prctl5(PR_SET_DUMPABLE, 1, 0));
	check_error(prctl5(PR_SET_DUMPABLE, 2, 0), EINVAL);
	check(prctl5(PR_GET_KEEPCAPS, 0, 0) == 0 && !prctl5(PR_SET_KEEPCAPS, 1, 0));
	check(prctl5(PR_GET_KEEPCAPS, 0, 0) == 1 && !prctl5(PR_SET_KEEPCAPS, 0, 0));
	check_error(prctl5(PR_SET_KEEPCAPS, 2, 0), EINVAL);
	check(prctl5(PR_GET_TIMING, 0, 0) == PR_TIMING_STATISTICAL);
	check(!prctl5(PR_SET_TIMING, PR_TIMING_STATISTICAL, 0));
	check_error(prctl5(PR_SET_TIMING, 99, 0), EINVAL);
	check(prctl5(PR_GET_NO_NEW_PRIVS, 0, 0) == 0);
	check_error(prctl5(PR_SET_NO_NEW_PRIVS, 0, 0), EINVAL);
	check_error(prctl5(PR_SET_NO_NEW_PRIVS, 1, 1), EINVAL);
	check_error(prctl5(PR_GET_NO_NEW_PRIVS, 1, 0), EINVAL);
	check(prctl5(PR_GET_TIMERSLACK, 0, 0) > 0 && !prctl5(PR_SET_TIMERSLACK, 4242, 0));
	check(prctl5(PR_GET_TIMERSLACK, 0, 0) == 4242 && !prctl5(PR_SET_TIMERSLACK, 0, 0));
	check(prctl5(PR_GET_TIMERSLACK, 0, 0) == 50000);
	check(prctl5(PR_CAPBSET_READ, 0, 0) == 1);
	check_error(prctl5(PR_CAPBSET_READ, 999, 0), EINVAL);
	check_error(prctl5(PR_CAPBSET_DROP, 999, 0), EINVAL);
	check_error(prctl5(PR_SET_NAME, (long)nowhere, 0), EFAULT);
	check_error(prctl5(PR_GET_NAME, (long)nowhere, 0), EFAULT);
	check(!prctl5(PR_SET_NAME, (long)"a name that is too long", 0));
	check(!prctl5(PR_GET_NAME, (long)name, 0) && !strcmp(name, "a name that is "));
	check(!prctl5(PR_SET_NAME, (long)"sys_tasks", 0));
	check(!prctl5(PR_GET_CHILD_SUBREAPER, (long)&tsc, 0) && tsc == 0);
	check(!prctl5(PR_SET_CHILD_SUBREAPER, 1, 0) &&
	      !prctl5(PR_GET_CHILD_SUBREAPER, (long)&tsc, 0));
	check(tsc == 1 && !prctl5(PR_SET_CHILD_SUBREAPER, 0, 0));
	check(prctl5(PR_GET_SECUREBITS, 0, 0) == 0);
	check_error(prctl5(-1, 0, 0), EINVAL);
	check_error(syscall(SYS_arch_prctl, -1, 0), EINVAL);
	check_error(syscall(SYS_arch_prctl, ARCH_GET_FS, nowhere), EFAULT);
}

/* When its parent ends a process gets the requested signal. Its new parent is the next reaper
 * above. */
static void check_orphans(void)
{
	int status, pipes[2];
	pid_t pid, child = 0;

	check(!pipe(pipes) && !prctl5(PR_SET_CHILD_SUBREAPER, 1, 0));
	pid = fork();
	if (!pid) {
		child = fork();
		if (!child) {
			prctl5(PR_SET_PDEATHSIG, SIGUSR1, 0);
			child = getpid();
			(void)!write(pipes[1], &child, sizeof(child));
			for (;;)
				pause();
		}
		(void)!read(pipes[0], &child, sizeof(child));
		(void)!write(pipes[1], &child, sizeof(child));
		_exit(0);
	}
	check(waitpid(pid, &status, 0) == pid && WIFEXITED(status));
	check(read(pipes[0], &child, sizeof(child)) == sizeof(child) && child > 0);
	check(waitpid(child, &status, 0) == child && WIFSIGNALED(status) &&
	      WTERMSIG(status) == SIGUSR1);
	check(!prctl5(PR_SET_CHILD_SUBREAPER, 0, 0));
	close(pipes[0]);
	close(pipes[1]);
}

/* --- Priorities and policies --- */

static void check_priorities(void)
{
	errno = 0;
	check(getpriority(PRIO_PROCESS, 0) >= 0 && !errno);
	check(!setpriority(PRIO_PROCESS, 0, 5) && getpriority(PRIO_PROCESS, 0) == 5);
	check(getpriority(PRIO_PROCESS, getpid()) == 5);
	check(!setpriority(PRIO_PROCESS, 0, 100) && getpriority(PRIO_PROCESS, 0) == 19);
	check(!setpriority(PRIO_PROCESS, 0, -100) && getpriority(PRIO_PROCESS, 0) == -20);
	check(nice(7) == -13 && nice(-7) == -20 && !setpriority(PRIO_PROCESS, 0, 0));
	check_error(getpriority(99, 0), EINVAL);
	check_error(getpriority(PRIO_PROCESS, NO_PID), ESRCH);
	check_error(setpriority(99, 0, 0), EINVAL);
	check_error(setpriority(PRIO_PROCESS, NO_PID, 0), ESRCH);
	check(getpriority(PRIO_PGRP, 0) == 0 && getpriority(PRIO_USER, 0) <= 0);
}

static void check_policies(void)
{
	struct sched_param param = {.sched_priority = 7}, got = {0};
	struct timespec slice;

	check(sched_getscheduler(0) == SCHED_OTHER && sched_getscheduler(getpid()) == SCHED_OTHER);
	check(!sched_setscheduler(0, SCHED_RR, &param) && sched_getscheduler(0) == SCHED_RR);
	check(!sched_getparam(0, &got) && got.sched_priority == 7);
	check(!sched_rr_get_interval(0, &slice) && (slice.tv_sec || slice.tv_nsec));
	param.sched_priority = 9;
	check(!sched_setparam(0, &param) && !sched_getparam(0, &got) && got.sched_priority == 9);
	check(!sched_setscheduler(0, SCHED_FIFO, &param) && sched_getscheduler(0) == SCHED_FIFO);
	check_error(sched_setparam(0, &(struct sched_param){100}), EINVAL);
	check_error(sched_setscheduler(0, SCHED_RR, &(struct sched_param){0}), EINVAL);
	check_error(sched_setscheduler(0, SCHED_OTHER, &param), EINVAL);
	check(!sched_setscheduler(0, SCHED_BATCH, &(struct sched_param){0}));
	check(!sched_setscheduler(0, SCHED_OTHER, &(struct sched_param){0}));
	check_error(sched_setscheduler(0, 99, &param), EINVAL);
	check_error(sched_setscheduler(NO_PID, SCHED_RR, &param), ESRCH);
	check_error(syscall(SYS_sched_setscheduler, 0, SCHED_RR, nowhere), EFAULT);
	check_error(syscall(SYS_sched_setscheduler, 0, SCHED_RR, NULL), EINVAL);
	check_error(sched_setscheduler(-1, SCHED_RR, &param), EINVAL);
	check_error(sched_getscheduler(-1), EINVAL);
	check_error(sched_getscheduler(NO_PID), ESRCH);
	check_error(sched_getparam(-1, &got), EINVAL);
	check_error(sched_getparam(NO_PID, &got), ESRCH);
	check_error(syscall(SYS_sched_getparam, 0, NULL), EINVAL);
	check_error(sched_setparam(-1, &param), EINVAL);
	check_error(sched_setparam(NO_PID, &(struct sched_param){0}), ESRCH);
	check_error(sched_rr_get_interval(-1, &slice), EINVAL);
	check_error(sched_rr_get_interval(NO_PID, &slice), ESRCH);
	check_error(sched_rr_get_interval(0, nowhere), EFAULT);
	check_error(sched_get_priority_max(99), EINVAL);
	check_error(sched_setaffinity(0, 8, nowhere), EFAULT);
	check_error(syscall(SYS_sched_setaffinity, 0, 8, &(uint64_t){0}), EINVAL);
	check_error(syscall(SYS_sched_setaffinity, NO_PID, 8, &(uint64_t){1}), ESRCH);
	check_error(syscall(SYS_sched_getaffinity, 0, 1, &slice), EINVAL);
	check_error(syscall(SYS_sched_getaffinity, NO_PID, 128, nowhere), ESRCH);
}

static void check_attr(void)
{
	struct {
		uint32_t size, policy;
		uint64_t flags;
		int32_t nice;
		uint32_t priority;
		uint64_t times[3];
	} a = {.size = 48, .policy = SCHED_RR, .priority = 3};

	check(!syscall(SYS_sched_setattr, 0, &a, 0) && sched_getscheduler(0) == SCHED_RR);
	memset(&a, 0, sizeof(a));
	check(!syscall(SYS_sched_getattr, 0, &a, sizeof(a), 0) && a.policy == SCHED_RR &&
	      a.priority == 3);
	a.policy = SCHED_OTHER, a.priority = 0, a.nice = 4, a.flags = 0;
	check(!syscall(SYS_sched_setattr, 0, &a, 0) && getpriority(PRIO_PROCESS, 0) == 4);
	a.nice = 0;
	check(!syscall(SYS_sched_setattr, 0, &a, 0));
	check_error(syscall(SYS_sched_setattr, NO_PID, &a, 0), ESRCH);
	check_error(syscall(SYS_sched_setattr, 0, NULL, 0), EINVAL);
	check_error(syscall(SYS_sched_setattr, 0, &a, 1000), EINVAL);
	check_error(syscall(SYS_sched_getattr, NO_PID, &a, sizeof(a), 0), ESRCH);
	check_error(syscall(SYS_sched_getattr, 0, NULL, sizeof(a), 0), EINVAL);
	check_error(syscall(SYS_sched_getattr, 0, &a, sizeof(a), 1000), EINVAL);
	a.policy = 99;
	check_error(syscall(SYS_sched_setattr, 0, &a, 0), EINVAL);
}

/* --- Limits and personalities --- */

static void set_limits(void)
{
	struct rlimit was, now;
	struct rusage usage;

	for (int i = 0; i < RLIM_NLIMITS; i++) {
		if (i == RLIMIT_NOFILE || i == RLIMIT_STACK)
			continue;
		check(!getrlimit(i, &was));
		check(!setrlimit(
			i,
			&(struct rlimit){was.rlim_max == RLIM_INFINITY ? 1 << 30 : was.rlim_max / 2,
					 was.rlim_max}));
		check(!getrlimit(i, &now) && now.rlim_max == was.rlim_max &&
		      now.rlim_cur == (was.rlim_max == RLIM_INFINITY ? 1 << 30 : was.rlim_max / 2));
		check(!setrlimit(i, &was));
	}
	check_error(setrlimit(RLIM_NLIMITS, &was), EINVAL);
	check_error(getrlimit(RLIM_NLIMITS, &was), EINVAL);
	check_error(setrlimit(RLIMIT_CORE, nowhere), EFAULT);
	check_error(getrlimit(RLIMIT_CORE, nowhere), EFAULT);
	check_error(prlimit(NO_PID, RLIMIT_CORE, NULL, &was), ESRCH);
	check_error(getrusage(99, &usage), EINVAL);
	check_error(getrusage(RUSAGE_SELF, nowhere), EFAULT);
	check(!getrusage(RUSAGE_THREAD, &usage) && !getrusage(RUSAGE_CHILDREN, &usage));
	check_error(syscall(SYS_times, nowhere), EFAULT);
}

static void check_personality(void)
{
	const int was = personality(0xffffffff);

	check(was >= 0 && personality(PER_LINUX32) == was);
	check(personality(0xffffffff) == PER_LINUX32 && personality((unsigned)was) == PER_LINUX32);
}

/* --- clone3(2) and waiting --- */

static long clone3(struct clone_args *args, size_t size)
{
	return syscall(SYS_clone3, args, size);
}

static void refuse_clone3(uint64_t flags, uint64_t exit_signal, int wanted)
{
	struct clone_args args = {.flags = flags, .exit_signal = exit_signal};
	const long pid = clone3(&args, sizeof(args));

	if (!pid)
		_exit(0);
	check_error(pid, wanted);
	if (pid > 0)
		waitpid((pid_t)pid, NULL, __WALL);
}

static void check_clone3(void)
{
	struct clone_args args = {.exit_signal = SIGCHLD};
	int status;
	long pid;

	check_error(clone3(NULL, sizeof(args)), EFAULT);
	check_error(clone3(nowhere, sizeof(args)), EFAULT);
	check_error(clone3(&args, 1), EINVAL);
	check_error(clone3(&args, 8192), E2BIG);
	refuse_clone3(0x1ull << 40, SIGCHLD, EINVAL);
	refuse_clone3(CLONE_DETACHED, SIGCHLD, EINVAL);
	refuse_clone3(0, 999, EINVAL);
	refuse_clone3(0, (uint64_t)-1, EINVAL);
	refuse_clone3(CLONE_THREAD, 0, EINVAL);
	refuse_clone3(CLONE_SIGHAND, SIGCHLD, EINVAL);
	refuse_clone3(CLONE_FS | CLONE_NEWNS, SIGCHLD, EINVAL);
	refuse_clone3(CLONE_SIGHAND | CLONE_VM | CLONE_CLEAR_SIGHAND, SIGCHLD, EINVAL);
	args.stack = (uint64_t)(uintptr_t)nowhere;
	check_error(clone3(&args, sizeof(args)), EINVAL);
	args.stack = 0;
	args.stack_size = 4096;
	check_error(clone3(&args, sizeof(args)), EINVAL);
	args.stack_size = 0;
	pid = clone3(&args, sizeof(args));
	if (!pid)
		_exit(3);
	check(pid > 0 && waitpid((pid_t)pid, &status, 0) == pid && WEXITSTATUS(status) == 3);
}

/* A child of CLONE_PARENT is the caller's sibling. */
static void check_clone_parent(void)
{
	int status, pipes[2];
	pid_t pid, other = 0;

	check(!pipe(pipes));
	pid = fork();
	if (!pid) {
		struct clone_args args = {.flags = CLONE_PARENT, .exit_signal = 0};
		long made;

		args.exit_signal = 0;
		made = clone3(&args, sizeof(args));
		if (!made)
			_exit(11);
		other = (pid_t)made;
		(void)!write(pipes[1], &other, sizeof(other));
		_exit(waitpid(other, NULL, __WALL) == -1 && errno == ECHILD ? 12 : 13);
	}
	check(read(pipes[0], &other, sizeof(other)) == sizeof(other) && other > 0);
	check(waitpid(pid, &status, 0) == pid && WEXITSTATUS(status) == 12);
	check(waitpid(other, &status, __WALL) == other && WEXITSTATUS(status) == 11);
	close(pipes[0]);
	close(pipes[1]);
}

static void check_waits(void)
{
	siginfo_t info;
	int status;
	pid_t pid;

	check_error(waitpid(-1, &status, 0), ECHILD);
	check_error(waitpid(getpid(), &status, 0), ECHILD);
	check_error(waitpid(-1, &status, 0x10000), EINVAL);
	check_error(syscall(SYS_wait4, -2147483647 - 1, &status, 0, NULL), ESRCH);
	check_error(wait4(-1, &status, 0x10000, NULL), EINVAL);
	check_error(waitid(P_ALL, 0, &info, 0), EINVAL);
	check_error(waitid(P_ALL, 0, &info, WNOHANG), EINVAL);
	check_error(waitid(P_ALL, 0, &info, WEXITED | 0x10000), EINVAL);
	check_error(waitid(99, 0, &info, WEXITED), EINVAL);
	check_error(waitid(P_PID, 0, &info, WEXITED), EINVAL);
	check_error(waitid(P_ALL, 0, &info, WEXITED), ECHILD);
	check_error(waitid(P_PIDFD, 999, &info, WEXITED), EBADF);
	pid = fork();
	if (!pid)
		_exit(5);
	check(!waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT) && info.si_pid == pid &&
	      info.si_status == 5);
	check_error(syscall(SYS_wait4, pid, nowhere, 0, NULL), EFAULT);
	check_error(waitpid(pid, &status, 0), ECHILD);
	check_error(kill(NO_PID, 0), ESRCH);
	check_error(kill(getpid(), 999), EINVAL);
	check_error(syscall(SYS_tgkill, -1, 1, 0), EINVAL);
	check_error(syscall(SYS_tkill, -1, 0), EINVAL);
	check_error(syscall(SYS_tgkill, getpid(), NO_PID, 0), ESRCH);
	check_error(getpgid(NO_PID), ESRCH);
	check_error(getpgid(-1), ESRCH);
	check_error(getsid(NO_PID), ESRCH);
	check_error(setpgid(0, -1), EINVAL);
	check_error(setpgid(NO_PID, 0), ESRCH);
}

int main(void)
{
	check_waits();
	check_prctl();
	check_orphans();
	check_priorities();
	check_policies();
	check_attr();
	set_limits();
	check_personality();
	check_clone3();
	check_clone_parent();
	return check_end();
}
