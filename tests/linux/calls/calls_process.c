// SPDX-License-Identifier: BSD-2-Clause
/* calls_process.c - processes: fork, exec, wait, and the resources that they share. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/linux/check.h"

extern char **environ;
static const char *self;
static int shared_by_fork = 1;

static int reap_status(pid_t child)
{
	int status = -1;

	check(waitpid(child, &status, 0) == child);
	return status;
}

static void check_fork(void)
{
	int *both = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int fd[2], status;
	pid_t child, parent = getpid();
	char c;

	check(!pipe(fd));
	child = fork();
	if (!child) {
		shared_by_fork = 2;
		*both = getppid() == parent && getpid() != parent ? 77 : 1;
		_exit(write(fd[1], "y", 1) == 1 ? 9 : 1);
	}
	check(child > 0);
	status = reap_status(child);
	check(WIFEXITED(status) && WEXITSTATUS(status) == 9);
	check(shared_by_fork == 1 && *both == 77);
	check(read(fd[0], &c, 1) == 1 && c == 'y');
	close(fd[0]);
	close(fd[1]);
	munmap(both, 4096);
}

static void check_wait(void)
{
	int status;
	siginfo_t info = {0};
	pid_t child;

	check_error(wait(&status), ECHILD);
	check_error(waitpid(999999, &status, 0), ECHILD);
	child = fork();
	if (!child) {
		pause();
		_exit(0);
	}
	check(waitpid(child, &status, WNOHANG) == 0);
	check(!waitid(P_PID, (id_t)child, &info, WEXITED | WNOHANG) && !info.si_pid);
	check(!kill(child, SIGTERM));
	check(!waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT));
	check(info.si_pid == child && info.si_code == CLD_KILLED && info.si_status == SIGTERM);
	check(!kill(child, 0)); /* it is there until it was asked for */
	status = reap_status(child);
	check(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
	check_error(kill(child, 0), ESRCH);
	check_error(waitpid(child, &status, 12345), EINVAL);
	check_error(waitid(P_ALL, 0, &info, 0), EINVAL);
}

/* A signal may come at any moment of a system call that waits for one, even before it sleeps. */
static void check_killed_while_pausing(void)
{
	int killed = 0;

	for (int turn = 0; turn < 100; turn++) {
		const pid_t child = fork();
		int status;

		if (!child) {
			pause();
			_exit(0);
		}
		for (volatile int wait = 0; wait < turn * 400; wait++)
			;
		kill(child, SIGTERM);
		status = reap_status(child);
		killed += WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM;
	}
	check(killed == 100);
}

static volatile sig_atomic_t ended;

static void on_child(int number)
{
	(void)number;
	ended++;
}

static void check_child_signal(void)
{
	sigset_t set, old;

	signal(SIGCHLD, on_child);
	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, &old);
	if (!fork())
		_exit(0);
	while (!ended)
		sigsuspend(&old);
	sigprocmask(SIG_SETMASK, &old, NULL);
	check(ended == 1 && wait(NULL) > 0);
	signal(SIGCHLD, SIG_IGN); /* nothing is left of those that end */
	if (!fork())
		_exit(0);
	check_error(wait(NULL), ECHILD);
	signal(SIGCHLD, SIG_DFL);
}

/* --- execve(2) --- */

static int write_file(const char *path, const char *text, mode_t mode)
{
	const int fd = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0600);
	const int ok = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);

	close(fd);
	return ok && !chmod(path, mode);
}

static int vfork_and_exec(const char *path, char *const argv[], char *const envp[])
{
	const pid_t child = vfork();
	int status;

	if (!child) {
		execve(path, argv, envp);
		_exit(126);
	}
	status = reap_status(child);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static void check_exec(void)
{
	char script[] = "/tmp/perf0-sys-process.sh", empty[] = "/tmp/perf0-sys-empty", line[4200];
	char *const none[] = {NULL}, *const envp[] = {"KEY=value", NULL};
	char *const argv[] = {"name", "exec", "one two", "", NULL};
	pid_t child;

	check(vfork_and_exec(self, argv, envp) == 42);
	snprintf(line, sizeof(line), "#! %s script arg \n", self);
	check(write_file(script, line, 0700));
	check(vfork_and_exec(script, (char *const[]){"ignored", "last", NULL}, envp) == 43);
	check_error(execve("/tmp/perf0-is-not-there", none, none), ENOENT);
	check_error(execve("/tmp", none, none), EACCES);
	check_error(syscall(SYS_execve, script, 8, none), EFAULT);
	check(!chmod(script, 0600));
	check_error(execve(script, none, none), EACCES);
	check(write_file(empty, "no program", 0700));
	check_error(execve(empty, none, none), ENOEXEC);
	check(write_file(empty, "#!/tmp/perf0-is-not-there\n", 0700));
	check_error(execve(empty, none, none), ENOENT);
	check(write_file(empty, "#!/tmp/perf0-sys-empty\n", 0700));
	check_error(execve(empty, none, none), ELOOP);
	check_error(execve("/tmp/perf0-sys-empty/x", none, none), ENOTDIR);
	check(!posix_spawn(&child, self, NULL, NULL, argv, envp));
	check(WEXITSTATUS(reap_status(child)) == 42);
	check(posix_spawn(&child, "/tmp/perf0-is-not-there", NULL, NULL, argv, envp) == ENOENT);
	unlink(script);
	unlink(empty);
}

static void *never_ends(void *arg)
{
	pause();
	return arg;
}

/* execve(2) with other threads, and exit_group(2) from one of them. */
static void *exec_here(void *arg)
{
	char *const argv[] = {"name", "exec", "one two", "", NULL}, *const envp[] = {"KEY=value",
										     NULL};

	execve(self, argv, envp);
	return arg;
}

/* Waits until the first thread has ended, which may take a moment. */
static void *exec_alone(void *arg)
{
	pthread_join(*(pthread_t *)arg, NULL);
	return exec_here(NULL);
}

static int exec_without_first(void)
{
	static pthread_t first;
	pthread_t t;
	pid_t child = fork();

	if (!child) {
		first = pthread_self();
		pthread_create(&t, NULL, never_ends, NULL);
		pthread_create(&t, NULL, exec_alone, &first);
		pthread_exit(NULL);
	}
	return WEXITSTATUS(reap_status(child));
}

/* Two threads call execve(2) at once: one of them succeeds. */
static int exec_twice(void)
{
	pthread_t t;
	pid_t child = fork();

	if (!child) {
		pthread_create(&t, NULL, exec_here, NULL);
		pthread_create(&t, NULL, exec_here, NULL);
		exec_here(NULL);
	}
	return WEXITSTATUS(reap_status(child));
}

static void *exit_here(void *arg)
{
	exit(33);
	return arg;
}

static int end_with_threads(void *(*last)(void *))
{
	pthread_t t;
	pid_t child = fork();

	if (!child) {
		for (int i = 0; i < 3; i++)
			pthread_create(&t, NULL, never_ends, NULL);
		pthread_create(&t, NULL, last, NULL);
		pause();
		_exit(1);
	}
	return WEXITSTATUS(reap_status(child));
}

static void check_exec_exit(void)
{
	check(end_with_threads(exec_here) == 42);
	check(exec_without_first() == 42);
	for (int i = 0; i < 20; i++)
		check(exec_twice() == 42);
	check(end_with_threads(exit_here) == 33);
}

/* execve(2) keeps files that a program is started with, unless they are close-on-exec. */
static void check_inherited(void)
{
	char kept[12], gone[12];
	char *const envp[] = {NULL}, *argv[] = {"name", "fds", kept, gone, NULL};
	int fd[2];

	check(!pipe2(fd, O_CLOEXEC) && !fcntl(fd[0], F_SETFD, 0));
	snprintf(kept, sizeof(kept), "%d", fd[0]);
	snprintf(gone, sizeof(gone), "%d", fd[1]);
	signal(SIGUSR1, SIG_IGN);
	check(vfork_and_exec(self, argv, envp) == 44);
	signal(SIGUSR1, SIG_DFL);
	close(fd[0]);
	close(fd[1]);
}

static void check_groups(void)
{
	pid_t child = fork();

	if (!child) {
		if (setpgid(0, 0) || getpgid(0) != getpid() || setsid() != -1)
			_exit(1);
		raise(SIGURG);
		_exit(5);
	}
	check(WEXITSTATUS(reap_status(child)) == 5);
	child = fork();
	if (!child)
		_exit(setsid() == getpid() && getsid(0) == getpid() ? 6 : 1);
	check(WEXITSTATUS(reap_status(child)) == 6);
	check_error(getpgid(999999), ESRCH);
}

static int clone_child(void *arg)
{
	*(int *)arg = 5;
	return 11;
}

/* Returns 1 if clone(2) stores the child's tid into a file mapped with `prot`, or else the word. */
static int word_of_clone(int prot)
{
	const int file = memfd_create("tid", 0);
	int word = 0, *at;
	pid_t child;

	check(pwrite(file, &word, sizeof(word), 0) == sizeof(word));
	at = mmap(NULL, sizeof(word), prot, MAP_SHARED, file, 0);
	child = (pid_t)syscall(SYS_clone, CLONE_CHILD_SETTID | SIGCHLD, 0, NULL, at, 0);
	if (!child)
		_exit(0);
	check(child > 0 && !reap_status(child));
	check(pread(file, &word, sizeof(word), 0) == sizeof(word));
	munmap(at, sizeof(word));
	close(file);
	return word == child ? 1 : word;
}

static void check_clone(void)
{
	static char stack[64 << 10];
	int value = 0, status;
	pid_t child = clone(clone_child, stack + sizeof(stack), CLONE_VM | SIGCHLD, &value);

	check(child > 0);
	status = reap_status(child);
	check(WEXITSTATUS(status) == 11 && value == 5);
	check_error(syscall(SYS_clone, CLONE_THREAD, 0, 0, 0, 0), EINVAL);
	check_error(syscall(SYS_clone, CLONE_SIGHAND, 0, 0, 0, 0), EINVAL);
	check_error(syscall(SYS_clone3, NULL, 8), EINVAL);
	check(word_of_clone(PROT_READ | PROT_WRITE) == 1);
	check(word_of_clone(PROT_READ) == 0);
}

/* The first process of all becomes another program, from another thread. That program prints its
 * checks. */
static void *end_here(void *arg)
{
	char all[16], bad[16];
	char *const argv[] = {strdup(self), "end", all, bad, NULL};

	snprintf(all, sizeof(all), "%d", checked);
	snprintf(bad, sizeof(bad), "%d", failed);
	fflush(stdout);
	execve(self, argv, environ);
	return arg;
}

static void end_elsewhere(void)
{
	pthread_t t;

	pthread_create(&t, NULL, end_here, NULL);
	pthread_join(t, NULL);
}

/* --- As the started program --- */

static int started(int argc, char **argv)
{
	if (syscall(SYS_gettid) != getpid())
		return 5;
	if (!strcmp(argv[1], "end")) {
		checked += atoi(argv[2]);
		failed += atoi(argv[3]);
		return check_end();
	}
	if (!strcmp(argv[1], "exec"))
		return argc == 4 && !strcmp(argv[2], "one two") && !*argv[3] && environ[0] &&
				       !strcmp(environ[0], "KEY=value") && !environ[1]
			       ? 42
			       : 1;
	if (!strncmp(argv[1], "script", 6)) /* the words behind #! are one */
		return argc == 4 && !strcmp(argv[1], "script arg") && strstr(argv[2], ".sh") &&
				       !strcmp(argv[3], "last")
			       ? 43
			       : 2;
	if (!strcmp(argv[1], "fds"))
		return fcntl(atoi(argv[2]), F_GETFD) != -1 && fcntl(atoi(argv[3]), F_GETFD) == -1 &&
				       signal(SIGUSR1, SIG_DFL) == SIG_IGN
			       ? 44
			       : 3;
	return 4;
}

int main(int argc, char **argv)
{
	self = argv[0];
	if (argc > 1)
		return started(argc, argv);
	check_fork();
	check_wait();
	check_killed_while_pausing();
	check_child_signal();
	check_exec();
	check_exec_exit();
	check_inherited();
	check_groups();
	check_clone();
	end_elsewhere();
	return 1;
}
