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

/* A machine that waits for its commands once it has started. */
struct warm_machine {
	const struct options *options;
	struct console *tells; /* shows why a start is a cold one; NULL: the reason is dropped */
	const void *machine;   /* the argument of the calls */
	/* Describes all that the waiting machine's state depends on, as qemu_describe() does. */
	int (*describe)(struct buf *out, const void *machine, struct reason *why);
	/* Boots the firmware or, if `is_restored`, stops before qmp_load(). */
	int (*start)(struct qemu *qemu, const void *machine, bool is_restored, struct reason *why);
};

struct warm {
	bool is_restored;
	struct console *tells;
	struct buf key;  /* empty: this machine is neither restored nor saved */
	struct buf said; /* output of the machine until it waits */
	/* Why this start is a cold one, and why nothing was saved; "": there is no reason. */
	struct reason cold, unsaved;
};

/*
 * warm_start() - starts `machine` as the process `qemu`, from its saved state if there is one.
 * Returns 0, or -E with the reason, and no process is left.
 */
int warm_start(struct warm *warm, struct qemu *qemu, const struct warm_machine *machine,
	       struct reason *why);

/* warm_said() - keeps output of a machine that does not wait yet. */
void warm_said(struct warm *warm, const void *bytes, size_t n);

/*
 * warm_save() - saves the machine, which waits, unless it is saved. Then it runs on. 0, or -E with
 * the reason.
 */
int warm_save(struct warm *warm, struct qemu *qemu, struct reason *why);

void warm_end(struct warm *warm);

#endif
