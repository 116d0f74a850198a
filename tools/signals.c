// SPDX-License-Identifier: BSD-2-Clause
/* signals.c - see signals.h. */
#include "tools/signals.h"

#include <stddef.h>
#include <sys/signalfd.h>

int signals_open(sigset_t *old)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	sigaddset(&set, SIGQUIT);
	sigprocmask(SIG_BLOCK, &set, old);
	return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}
