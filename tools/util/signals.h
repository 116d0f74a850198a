/* SPDX-License-Identifier: BSD-2-Clause */
/* signals.h - delivers signals to a run through a descriptor to poll. */
#ifndef TOOLS_UTIL_SIGNALS_H
#define TOOLS_UTIL_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

/*
 * signals_open() - returns a descriptor for SIGINT, SIGTERM, SIGHUP, SIGQUIT and SIGUSR1, which end
 * a run, SIGUSR2, which asks for a snapshot, and `also`, if it is not 0. The caller polls it and
 * reads it (struct signalfd_siginfo). An ignored SIGHUP, as under nohup(1), is not delivered. If
 * the caller does not read a signal that ends a run within two seconds, the signal kills the
 * program. So no wait of a run outlives SIGTERM. SIGRTMIN is in use until signals_close().
 *
 * signals_close() - restores the mask `old`. Signals that came after the end of the run are
 * dropped, so that its results are saved.
 */
int signals_open(int also, sigset_t *old);
void signals_close(int signals, const sigset_t *old);

/* signals_ignored() - returns whether that signal is ignored. */
bool signals_ignored(int number);

/* signals_init() - makes SIGUSR2 harmless at any time. To call once, before all else. */
void signals_init(void);

#endif
