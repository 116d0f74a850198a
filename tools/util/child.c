// SPDX-License-Identifier: BSD-2-Clause
/* child.c - see child.h. */
#include "tools/util/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/util/message.h"
#include "tools/util/standard.h"
#include "tools/util/status.h"

static int await_child(pid_t child)
{
	int status;

	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return STATUS_FAILED;
	return WIFSIGNALED(status) ? STATUS_SIGNAL + WTERMSIG(status) : WEXITSTATUS(status);
}

/* Lets ^C interrupt the child, unless it is ignored, as for a background job of a script. */
static void be_interruptible(void)
{
	if (signal(SIGINT, SIG_DFL) == SIG_IGN)
		signal(SIGINT, SIG_IGN);
}

int child_run(int (*run)(void *ctx), void *ctx)
{
	void (*int_was)(int), (*quit_was)(int);
	pid_t child;
	int status;

	fflush(stdout); /* otherwise both processes would write the buffered text */
	child = fork();
	if (child < 0) {
		message("perf0: fork: %s", strerror(errno));
		return STATUS_FAILED;
	}
	if (!child) {
		be_interruptible();
		_exit(standard_close(run(ctx)));
	}
	int_was = signal(SIGINT, SIG_IGN);
	quit_was = signal(SIGQUIT, SIG_IGN);
	status = await_child(child);
	signal(SIGINT, int_was);
	signal(SIGQUIT, quit_was);
	return status;
}

/* --- Output of another program --- */

/* Runs in the child, which ends with its parent. */
_Noreturn static void become_program(char *const *words, char *const *environment, int output)
{
	const int nothing = open("/dev/null", O_RDONLY);

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	dup2(nothing, STDIN_FILENO);
	dup2(output, STDOUT_FILENO);
	dup2(output, STDERR_FILENO);
	execve(words[0], words, environment);
	_exit(STATUS_NOT_FOUND);
}

static void read_output(int fd, struct buf *output)
{
	char bytes[4096];
	ssize_t n;

	while ((n = read(fd, bytes, sizeof(bytes))) > 0 || (n < 0 && errno == EINTR))
		if (n > 0)
			buf_add(output, bytes, (size_t)n);
	close(fd);
}

int child_output(char *const *words, char *const *environment, struct buf *output,
		 struct reason *why)
{
	int ends[2];
	pid_t child;

	if (pipe2(ends, O_CLOEXEC))
		return refuse(why, errno, "pipe: %s", strerror(errno));
	child = fork();
	if (!child)
		become_program(words, environment, ends[1]);
	close(ends[1]);
	if (child < 0) {
		close(ends[0]);
		return refuse(why, errno, "fork: %s", strerror(errno));
	}
	read_output(ends[0], output);
	return await_child(child);
}
