/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * warm.h - starts a machine from its saved state, or saves it for the next start. If the cache
 * fails in any way, the firmware boots the machine instead.
 *
 *   warm_start()      starts the machine. A restored machine has its earlier output in warm->said;
 *                     for a booted one, warm_said() collects output until it waits
 *   warm_save()       saves the waiting machine, which then runs on
 *   warm_end()
 */
#ifndef TOOLS_MACHINE_WARM_H
#define TOOLS_MACHINE_WARM_H

#include "tools/machine/cache.h"
#include "tools/machine/qemu.h"

/* A machine that waits for its commands once it has started. */
struct warm_machine {
	const struct options *options;
	struct console *tells; /* shows the reason of a cold start; NULL: the reason is dropped */
	const void *machine;   /* argument of the functions below */
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
	/* Reasons for a cold start, and for not saving; "": none. */
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
