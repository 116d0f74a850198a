/* SPDX-License-Identifier: BSD-2-Clause */
/* signals.h - signals that end a run, as something to poll for. */
#ifndef TOOLS_SIGNALS_H
#define TOOLS_SIGNALS_H

#include <signal.h>

/*
 * signals_open() - SIGINT, SIGTERM, SIGHUP and SIGQUIT come through the descriptor that is
 * returned, which the caller reads (struct signalfd_siginfo) and closes. `old` is what to put back
 * then, by sigprocmask().
 */
int signals_open(sigset_t *old);

#endif
