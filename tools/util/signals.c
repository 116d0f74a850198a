// SPDX-License-Identifier: BSD-2-Clause
/* signals.c - see signals.h. */
#include "tools/util/signals.h"

#include <stddef.h>
#include <sys/signalfd.h>
#include <unistd.h>

int signals_open(sigset_t *old)
{
	static const int ours[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < sizeof(ours) / sizeof(ours[0]); i++)
		sigaddset(&set, ours[i]);
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
