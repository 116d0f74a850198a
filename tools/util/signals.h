/* SPDX-License-Identifier: BSD-2-Clause */
/* signals.h - the signals that a run takes, as a descriptor to poll. */
#ifndef TOOLS_UTIL_SIGNALS_H
#define TOOLS_UTIL_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

/*
 * signals_open() - SIGINT, SIGTERM, SIGHUP, SIGQUIT and SIGUSR1, which end a run, SIGUSR2, which
 * asks for a snapshot, and `also`, if that is not 0, come through the descriptor that is returned.
 * The caller polls it and reads it (struct signalfd_siginfo). SIGHUP does not come where it is
 * ignored, as by nohup(1). A signal that ends a run and that the caller does not read within two
 * seconds kills the program: no wait of a run outlives SIGTERM. SIGRTMIN is in use meanwhile.
 *
 * signals_close() - restores the mask `old`. Signals that came after the end of the run are
 * dropped: they do not keep its results from being saved.
 */
int signals_open(int also, sigset_t *old);
void signals_close(int signals, const sigset_t *old);

/* signals_ignored() - whether that signal is ignored. */
bool signals_ignored(int number);

/* signals_init() - makes SIGUSR2 harmless at any time. Called once, before all else. */
void signals_init(void);

#endif
