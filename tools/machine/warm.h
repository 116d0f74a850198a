/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * warm.h - starts a machine from its saved state, or saves it for the next start. A machine waits
 * at one level or at two, and is saved at each. The latest level that is saved is restored. If none
 * is, or the cache fails in any way, the firmware boots the machine.
 *
 *   warm_create_memory(), warm_add_memory()
 *   warm_start()      starts the machine. A restored machine has its earlier output in warm->said,
 *                     to which warm_said() adds output until the last wait
 *   warm_save()       saves the waiting machine, which then runs on
 *   warm_end()
 */
#ifndef TOOLS_MACHINE_WARM_H
#define TOOLS_MACHINE_WARM_H

#include "tools/saved/cache.h"
#include "tools/saved/pages.h"
#include "tools/machine/qemu.h"

/* The places where a machine waits, in their order. */
enum warm_level {
	WARM_NONE,     /* power-on */
	WARM_FIRMWARE, /* vpmu waits for its options, before it takes the machine */
	WARM_IMAGE,    /* the image waits for its commands */
	WARM_LEVELS
};

/* A machine that waits while it starts. */
struct warm_machine {
	const struct machine_options *options;
	bool verbose;          /* shows each reason of a cold start, not only an error */
	struct console *tells; /* shows the reason of a cold start; NULL: the reason is dropped */
	const void *machine;   /* argument of the functions below */
	/* its memory, from warm_create_memory(), and then those of its devices */
	struct saved_memory memories[SAVED_MEMORIES];
	size_t nmemories;
	bool waits[WARM_LEVELS];
	/* Describes all that the state at `level` depends on, as qemu_describe() does. */
	int (*describe)(struct buf *out, enum warm_level level, const void *machine,
			struct reason *why);
	/* Boots the firmware or, if `is_restored`, stops before qmp_load(). */
	int (*start)(struct qemu *qemu, const void *machine, bool is_restored, struct reason *why);
};

struct warm {
	enum warm_level restored; /* the machine started there */
	enum warm_level last;     /* the machine's last wait */
	struct console *tells;
	struct buf key[WARM_LEVELS]; /* empty: the machine is not saved at this level */
	struct buf said;             /* output of the machine until it waits */
	struct saved_memory memories[SAVED_MEMORIES];
	size_t nmemories;
	/*
	 * Why the machine did not start at its last level, and why it was not saved at the latest
	 * one; "": no reason.
	 */
	struct reason cold, unsaved;
};

/*
 * warm_tell_unsaved() - prints a line if no machine can be saved, and what mends that. For commands
 * that run again and again: a machine that boots takes seconds each time.
 */
void warm_tell_unsaved(const struct machine_options *options);

/*
 * warm_create_memory() - creates the memory of a machine that may be saved. Without (fd -1), QEMU
 * has memory of its own, and the machine is neither restored nor saved. Call it before
 * warm_start().
 */
void warm_create_memory(struct warm *warm, struct saved_memory *memory,
			const struct machine_options *options, uint32_t mib);

/* warm_add_memory() - adds the memory of a device behind the machine's own; with fd -1 none. */
void warm_add_memory(struct warm_machine *machine, int fd, uint64_t bytes, const char *device);

/*
 * warm_start() - starts `machine` as the process `qemu`, from its latest saved state if it has any.
 * Returns 0, or -E with the reason, and no process is left.
 */
int warm_start(struct warm *warm, struct qemu *qemu, const struct warm_machine *machine,
	       struct reason *why);

/* warm_said() - keeps output of a machine that has not reached its last wait. */
void warm_said(struct warm *warm, const void *bytes, size_t n);

/*
 * warm_save() - saves the machine, which waits at `level`, unless it is saved there. Then it runs
 * on. 0, or -E with the reason.
 */
int warm_save(struct warm *warm, struct qemu *qemu, enum warm_level level, struct reason *why);

void warm_end(struct warm *warm);

#endif
