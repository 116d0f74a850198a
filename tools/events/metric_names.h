/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * metric_names.h - metrics on command lines for the image. The image has those that ship by itself,
 * but no files of the host's, and no names of libpfm4: a file that -M names becomes its text, with
 * every event as the image understands it.
 */
#ifndef TOOLS_EVENTS_METRIC_NAMES_H
#define TOOLS_EVENTS_METRIC_NAMES_H

#include "lib/reason.h"
#include "tools/events/events.h"

/*
 * metrics_encode_words() - does that to the operand of every -M of `stat` and `bench` in the
 * commands `words`, as far as `--`; names are looked up where the machine is known. Words that
 * change are allocated and never freed. -EINVAL with the reason, for the first command that is
 * wrong; or `refused` (NULL: none) is called for each, and the image refuses them once more.
 */
int metrics_encode_words(const char **words, const struct events_machine *machine,
			 void (*refused)(const char *command, const char *what),
			 struct reason *why);

/* metrics_print_list() - those that ship for `uarch`, with `part` in their name, group or text
 * (NULL: all), as `list metrics` prints them, or as JSON. Returns how many, -EINVAL with the
 * reason.
 */
int metrics_print_list(const struct uarch *uarch, const char *part, bool json, struct reason *why);

#endif
