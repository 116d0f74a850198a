/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * metric_names.h - prepares metrics on command lines for the image. The image contains the metrics
 * that ship, but has no files of the host and no names of libpfm4. So a file of -M becomes its
 * text, in which every event is encoded for the image.
 */
#ifndef TOOLS_EVENTS_METRIC_NAMES_H
#define TOOLS_EVENTS_METRIC_NAMES_H

#include "lib/reason.h"
#include "tools/events/events.h"

/*
 * metrics_encode_words() - encodes the value of every -M of `stat` and `bench` in the commands
 * `words`, up to `--`. Names are looked up if the machine is known. Changed words are allocated and
 * never freed. -EINVAL with the reason for the first wrong command. If `refused` is given, it is
 * called for each wrong command instead, and the image refuses these as well.
 */
int metrics_encode_words(const char **words, const struct events_machine *machine,
			 void (*refused)(const char *command, const char *what),
			 struct reason *why);

/* metrics_print_list() - prints the metrics that ship for `uarch` and have `part` in their name,
 * group or text (NULL: all), like `list metrics`, or as JSON. Returns their number, or -EINVAL
 * with the reason. */
int metrics_print_list(const struct uarch *uarch, const char *part, bool json, struct reason *why);

#endif
