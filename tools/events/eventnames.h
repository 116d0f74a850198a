/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * eventnames.h - lists all event names of a microarchitecture: those of an event file, those that
 * Intel has published, and those of libpfm4. The latter are written like Intel's, with a dot
 * between event and unit mask.
 */
#ifndef TOOLS_EVENTS_EVENTNAMES_H
#define TOOLS_EVENTS_EVENTNAMES_H

#include "pmu/uarch/uarch.h"
#include "tools/events/evfile.h"
#include "tools/events/guest_uarch.h"

struct event_name {
	const char *name;
	uint64_t select;   /* in the layout of IA32_PERFEVTSELx or PERF_CTLx */
	uint64_t counters; /* counters on which the scheduler may place it; 0: none */
	uint32_t msr;      /* an additional register that it needs; 0: none */
};

/*
 * event_names_each() - calls `visit` for each name, those of `file` (NULL: none) first. A name is
 * visited only once, for its first source. Returns their number, or -EINVAL with the reason:
 * libpfm4 does not work. libpfm4 has no names for a microarchitecture that it does not know.
 */
int event_names_each(const struct uarch *uarch, bool ht_on, const struct evfile *file,
		     void (*visit)(void *ctx, const struct event_name *name), void *ctx,
		     struct reason *why);

/*
 * event_words_each() - calls `visit` for each name that -e accepts without a PMU in front: perf's
 * generic names, and those of libpfm4 for `guest` (NULL: none), in lower case.
 */
void event_words_each(const struct guest_uarch *guest, void (*visit)(void *ctx, const char *name),
		      void *ctx);

#endif
