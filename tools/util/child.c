// SPDX-License-Identifier: BSD-2-Clause
/* child.c - see child.h. */
#include "tools/util/child.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
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

/* Unless ^C is ignored, as it is for what a script of a host's shell has put into the background.
 */
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

	fflush(stdout); /* or both would write what is in there */
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
