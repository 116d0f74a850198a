/* SPDX-License-Identifier: BSD-2-Clause */
/* suggest.h - what may have been meant by the name of an event that there is not. */
#ifndef TOOLS_EVENTS_SUGGEST_H
#define TOOLS_EVENTS_SUGGEST_H

#include "pmu/uarch/uarch.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * event_suggest() - the event, generic or one that libpfm4 knows for `uarch` (NULL: none), that is
 * one typing mistake away from `typed`, in `out`. False: there is none.
 */
bool event_suggest(const char *typed, const struct uarch *uarch, char *out, size_t size);

#endif
