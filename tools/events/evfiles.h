/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * evfiles.h - the event files of one microarchitecture: one, or for a hybrid one for each kind of
 * its cores.
 */
#ifndef TOOLS_EVENTS_EVFILES_H
#define TOOLS_EVENTS_EVFILES_H

#include "pmu/uarch/uarch.h"
#include "tools/events/evfile.h"

#define EVFILES_KINDS 2 /* of cores */

struct evfiles {
	struct {
		uint8_t core; /* UARCH_CORE, UARCH_ATOM; 0: all cores are alike */
		const char *path;
		struct evfile file;
	} of[EVFILES_KINDS];
	unsigned n;
};

/*
 * evfiles_read() - reads the `n` files at `given`, each "FILE" or, where FILE itself does not tell
 * for which cores of a hybrid it is, "cpu_core=FILE" or "cpu_atom=FILE". FILE tells that by the
 * units of its events, else by its header, else by its name. `given` must stay as long as `files`.
 * -EINVAL with the reason, and nothing to free: one can not be read, is not for this
 * microarchitecture's cores, does not tell for which, or is the second for the same ones.
 */
int evfiles_read(struct evfiles *files, const char *const *given, size_t n,
		 const struct uarch *uarch, struct reason *why);

/*
 * evfiles_read_planned() - the same for the cores of `uarch` (NULL: not known, and so are theirs)
 * alone: a file that does not tell for which it is, is for these. evfiles_planned() - the file for
 * them, or NULL.
 */
int evfiles_read_planned(struct evfiles *files, const char *const *given, size_t n,
			 const struct uarch *uarch, struct reason *why);
const struct evfile *evfiles_planned(const struct evfiles *files, const struct uarch *uarch);

void evfiles_free(struct evfiles *files);

/* evfiles_of() - the file for the cores `core` (0: of whichever, the first), or NULL. */
const struct evfile *evfiles_of(const struct evfiles *files, uint8_t core);

/* evfiles_find() - the event with that name in any case of letters, of the cores `core` (0: of
 * whichever, the first that has it), or NULL. `files` may be NULL. */
const struct evfile_event *evfiles_find(const struct evfiles *files, uint8_t core,
					const char *name);

#endif
