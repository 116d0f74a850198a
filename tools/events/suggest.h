/* SPDX-License-Identifier: BSD-2-Clause */
/* suggest.h - suggests names near to an unknown event's. */
#ifndef TOOLS_EVENTS_SUGGEST_H
#define TOOLS_EVENTS_SUGGEST_H

#include "lib/reason.h"
#include "pmu/uarch/uarch.h"
#include "tools/events/evfiles.h"
#include "tools/util/image_names.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * event_suggest() - the event, generic, a tracepoint of `image` (NULL: none) or one that `files`
 * (NULL: none) have or libpfm4 knows for `uarch` (NULL: none), that is nearest to `typed`, in
 * `out`: one typing mistake away, else with a letter in four wrong. False: there is none.
 */
bool event_suggest(const char *typed, const struct uarch *uarch, const struct evfiles *files,
		   const struct registered *image, char *out, size_t size);

/*
 * event_owners() - the microarchitectures that have Intel's event `name`, separated by ", ", as far
 * as `size` bytes reach. False: there is none.
 */
bool event_owners(const char *name, char *out, size_t size);

/*
 * event_part_check() - whether the image's `list` may have something with `part` in its name, on a
 * machine of `uarch`. -EINVAL with the reason, and with what there is.
 */
int event_part_check(const char *part, const struct uarch *uarch, const struct registered *image,
		     struct reason *why);

#endif
