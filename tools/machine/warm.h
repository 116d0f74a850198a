/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * warm.h - a machine that is started from its saved state, or saved for the next time. Whatever
 * goes wrong with the cache, there is a machine in the end: one that the firmware boots.
 *
 *	warm_start()      a machine that runs. It is restored, and warm->said is what it said before
 *	                  it was saved; or the firmware boots it, and warm_said() gets what it says,
 *	                  up to where it waits
 *	warm_save()       there; the machine goes on
 *	warm_end()
 */
#ifndef TOOLS_MACHINE_WARM_H
#define TOOLS_MACHINE_WARM_H

#include "tools/machine/cache.h"
#include "tools/machine/qemu.h"

/* A machine that waits once it has started, for what it is to do. */
struct warm_machine {
	const struct options *options;
	struct console *tells; /* gets why a start is a cold one; NULL: nothing does */
	const void *machine;   /* that the calls get */
	/* All that its state depends on where it waits: as qemu_describe(). */
	int (*describe)(struct buf *out, const void *machine, struct reason *why);
	/* By the firmware, or where `is_restored` up to qmp_load(). */
	int (*start)(struct qemu *qemu, const void *machine, bool is_restored, struct reason *why);
};

struct warm {
	bool is_restored;
	struct console *tells;
	struct buf key;  /* empty: this machine is neither restored nor saved */
	struct buf said; /* by the machine, up to where it waits */
	/* Why this start is a cold one, and why nothing was saved; "": that is not so. */
	struct reason cold, unsaved;
};

/*
 * warm_start() - starts `machine`, from its saved state if there is one: `qemu` is that process.
 * Returns 0, or -E with the reason, and no process is left.
 */
int warm_start(struct warm *warm, struct qemu *qemu, const struct warm_machine *machine,
	       struct reason *why);

/* warm_said() - a machine that waits not yet says that. */
void warm_said(struct warm *warm, const void *bytes, size_t n);

/* warm_save() - it waits: saves it, unless it is saved. It runs on, or -E with the reason. */
int warm_save(struct warm *warm, struct qemu *qemu, struct reason *why);

void warm_end(struct warm *warm);

#endif
