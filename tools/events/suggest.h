/* SPDX-License-Identifier: BSD-2-Clause */
/* suggest.h - suggests event names similar to an unknown one. */
#ifndef TOOLS_EVENTS_SUGGEST_H
#define TOOLS_EVENTS_SUGGEST_H

#include "lib/reason.h"
#include "pmu/uarch/uarch.h"
#include "tools/events/evfiles.h"
#include "tools/util/image_names.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * event_suggest() - stores the event name nearest to `typed` in `out`. Candidates are generic
 * events, tracepoints of `image` (NULL: none), events of `files` (NULL: none), and those of libpfm4
 * for `uarch` (NULL: none). A name with one typing mistake is near, or else one in which at most
 * one letter in four differs. Returns false if none is near.
 */
bool event_suggest(const char *typed, const struct uarch *uarch, const struct evfiles *files,
		   const struct registered *image, char *out, size_t size);

/*
 * event_owners() - stores the names of the microarchitectures with Intel's event `name`, separated
 * by ", ", as far as `size` bytes allow. Returns false if there is none.
 */
bool event_owners(const char *name, char *out, size_t size);

/*
 * event_part_check() - checks whether the image's `list` may find names that contain `part` on a
 * machine of `uarch`. -EINVAL with the reason, which lists the existing names.
 */
int event_part_check(const char *part, const struct uarch *uarch, const struct registered *image,
		     struct reason *why);

#endif
