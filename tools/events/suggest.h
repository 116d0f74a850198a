/* SPDX-License-Identifier: BSD-2-Clause */
/* suggest.h - what may have been meant by the name of an event that there is not. */
#ifndef TOOLS_EVENTS_SUGGEST_H
#define TOOLS_EVENTS_SUGGEST_H

#include "lib/reason.h"
#include "pmu/uarch/uarch.h"
#include "tools/events/evfiles.h"
#include "tools/util/registered.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * event_suggest() - the event, generic, a tracepoint of `image` (NULL: none) or one that `files`
 * (NULL: none) have or libpfm4 knows for `uarch` (NULL: none), that is one typing mistake away from
 * `typed`, in `out`. False: there is none.
 */
bool event_suggest(const char *typed, const struct uarch *uarch, const struct evfiles *files,
		   const struct registered *image, char *out, size_t size);

/*
 * event_part_check() - whether the image's `list` may have something with `part` in its name, on a
 * machine of `uarch`. -EINVAL with the reason, and with what there is.
 */
int event_part_check(const char *part, const struct uarch *uarch, const struct registered *image,
		     struct reason *why);

#endif
