/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * eventnames.h - all event names of a microarchitecture: those of an event file, those that Intel
 * has published, and those of libpfm4, with a dot between event and unit mask as Intel writes it.
 */
#ifndef TOOLS_EVENTS_EVENTNAMES_H
#define TOOLS_EVENTS_EVENTNAMES_H

#include "pmu/uarch/uarch.h"
#include "tools/events/evfile.h"
#include "tools/events/guest_uarch.h"

struct event_name {
	const char *name;
	uint64_t select;   /* as in IA32_PERFEVTSELx or PERF_CTLx */
	uint64_t counters; /* where the scheduler lets it count; 0: nowhere */
	uint32_t msr;      /* the register that it needs beside; 0: none */
};

/*
 * event_names_each() - calls `visit` for each, those of `file` (NULL: there is none) first; a name
 * that one has is not asked of the next. Returns how many there were, or -EINVAL with the
 * reason: libpfm4 does not work. A microarchitecture that it does not know has no names there.
 */
int event_names_each(const struct uarch *uarch, bool ht_on, const struct evfile *file,
		     void (*visit)(void *ctx, const struct event_name *name), void *ctx,
		     struct reason *why);

/*
 * event_words_each() - calls `visit` for each name that -e takes without a PMU in front: perf's
 * generic ones, and those of libpfm4 for `guest` (NULL: none), in small letters.
 */
void event_words_each(const struct guest_uarch *guest, void (*visit)(void *ctx, const char *name),
		      void *ctx);

#endif
