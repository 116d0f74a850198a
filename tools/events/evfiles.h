/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * evfiles.h - the event files of one microarchitecture: a single file, or one for each kind of
 * cores of a hybrid.
 */
#ifndef TOOLS_EVENTS_EVFILES_H
#define TOOLS_EVENTS_EVFILES_H

#include "pmu/uarch/uarch.h"
#include "tools/events/evfile.h"

#define EVFILES_KINDS 2 /* kinds of cores */

struct evfiles {
	struct {
		uint8_t core; /* UARCH_CORE or UARCH_ATOM; 0: all cores are equal */
		const char *path;
		struct evfile file;
	} of[EVFILES_KINDS];
	unsigned n;
};

/*
 * evfiles_read() - reads the `n` files `given`. Each is "FILE", "cpu_core=FILE" or "cpu_atom=FILE".
 * On a hybrid, a plain FILE tells its cores by the units of its events, or else by its header, or
 * else by its name. `given` must stay as long as `files`. -EINVAL with the reason, and nothing to
 * free: a file cannot be read, or its cores are unknown, are not this microarchitecture's, or have
 * a file already.
 */
int evfiles_read(struct evfiles *files, const char *const *given, size_t n,
		 const struct uarch *uarch, struct reason *why);

/*
 * evfiles_read_planned() - like evfiles_read(), for the cores of `uarch` alone (NULL: unknown). A
 * file that does not tell its cores counts as a file for these. evfiles_planned() - returns the
 * file for these cores; NULL: none.
 */
int evfiles_read_planned(struct evfiles *files, const char *const *given, size_t n,
			 const struct uarch *uarch, struct reason *why);
const struct evfile *evfiles_planned(const struct evfiles *files, const struct uarch *uarch);

void evfiles_free(struct evfiles *files);

/* evfiles_of() - returns the file for the cores `core` (0: any, the first file); NULL: none. */
const struct evfile *evfiles_of(const struct evfiles *files, uint8_t core);

/* evfiles_find() - returns the event with that name, regardless of case, for the cores `core`
 * (0: any, the first file that has it); NULL: none. `files` may be NULL. */
const struct evfile_event *evfiles_find(const struct evfiles *files, uint8_t core,
					const char *name);

#endif
