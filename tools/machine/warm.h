/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * warm.h - a machine that is started from its saved state, or saved for the next time. Whatever
 * goes wrong with the cache, there is a machine in the end: one that the firmware boots.
 *
 *	warm_start()      a machine that runs, and what it said before it was saved; else:
 *	qemu_start()      the firmware boots; up to AWAIT warm_said() gets what it says
 *	warm_save()       at AWAIT; the machine goes on
 *	warm_end()
 */
#ifndef TOOLS_MACHINE_WARM_H
#define TOOLS_MACHINE_WARM_H

#include "tools/machine/cache.h"
#include "tools/machine/qemu.h"

struct warm {
	struct buf key;  /* empty: this machine is neither restored nor saved */
	struct buf said; /* by the machine, up to AWAIT */
	/* Why this start is a cold one, and why nothing was saved; "": that is not so. */
	struct reason cold, unsaved;
};

/*
 * warm_start() - starts `machine` from its saved state. True: it runs, `qemu` is that process, and
 * warm->said is what it said. False: warm->cold tells why, and no process is left.
 */
bool warm_start(struct warm *warm, struct qemu *qemu, const struct qemu_machine *machine);

/* warm_said() - a machine that the firmware boots says that. */
void warm_said(struct warm *warm, const void *bytes, size_t n);

/* warm_save() - such a machine, at AWAIT. It runs on, or -E with the reason. */
int warm_save(struct warm *warm, struct qemu *qemu, struct reason *why);

void warm_end(struct warm *warm);

#endif
