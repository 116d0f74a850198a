/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * handover.h - hands the machine to perf0.bz:
 *
 *   handover_load()    makes its initial ram disk, and has Linux load both
 *   handover_go()      shuts Linux down, and starts it
 *   handover_drop()    in place of handover_go(): Linux forgets what it has loaded
 */
#ifndef TOOLS_THERE_HANDOVER_H
#define TOOLS_THERE_HANDOVER_H

#include <stdbool.h>

#include "lib/reason.h"
#include "tools/there/running_kernel.h"

struct handover {
	const struct running_kernel *home;
	int programs;             /* descriptor of a pack; -1: there is none */
	const char *command_line; /* of perf0.bz */
	const char *key, *cert;   /* to sign perf0.bz with; NULL: it stays as it is */
};

/* handover_load() - -E with the reason; then nothing is loaded. */
int handover_load(const struct handover *handover, struct reason *why);
void handover_drop(void);

/*
 * handover_check_way() - checks that Linux can be shut down that way: `fast`, without services
 * being stopped; else by systemd. -E with the reason.
 */
int handover_check_way(bool fast, struct reason *why);

/* handover_go() - does not return, unless with -E and the reason. */
int handover_go(bool fast, struct reason *why);

#endif
