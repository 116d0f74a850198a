// SPDX-License-Identifier: BSD-2-Clause
/* signals.c - see signals.h. */
#include "tools/util/signals.h"

#include <stddef.h>
#include <sys/signalfd.h>
#include <unistd.h>

bool signals_ignored(int number)
{
	struct sigaction action;

	return !sigaction(number, NULL, &action) && action.sa_handler == SIG_IGN;
}

/* SIGINT and SIGQUIT are ignored in what a shell without job control starts in the background, and
 * end a run even so: a script that sends them means it. */
int signals_open(int also, sigset_t *old)
{
	static const int ours[] = {SIGINT, SIGTERM, SIGQUIT, SIGUSR1, SIGUSR2};
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < sizeof(ours) / sizeof(ours[0]); i++)
		sigaddset(&set, ours[i]);
	if (!signals_ignored(SIGHUP))
		sigaddset(&set, SIGHUP);
	if (also)
		sigaddset(&set, also);
	sigprocmask(SIG_BLOCK, &set, old);
	return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

void signals_close(int signals, const sigset_t *old)
{
	struct signalfd_siginfo info;

	while (read(signals, &info, sizeof(info)) == sizeof(info))
		;
	close(signals);
	sigprocmask(SIG_SETMASK, old, NULL);
}

/* What is ignored still comes while it is blocked: see sigaction(2) and signalfd(2). */
void signals_init(void)
{
	signal(SIGUSR2, SIG_IGN);
}
