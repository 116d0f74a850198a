/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * events.h - translates event names of libpfm4 for the image. The image itself knows perf's generic
 * names, rNNN, cpu/.../ and the software events. libpfm4 knows none of these. So its names are
 * encoded here, and all other text goes to the image unchanged.
 */
#ifndef TOOLS_EVENTS_EVENTS_H
#define TOOLS_EVENTS_EVENTS_H

#include "pmu/names/parse.h"
#include "pmu/uarch/uarch.h"
#include "tools/util/buf.h"
#include "lib/reason.h"
#include "tools/events/guest_uarch.h"
#include "tools/util/image_names.h"

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * events_init() - initialises libpfm4. The other functions here do so themselves. -EINVAL with the
 * reason.
 */
int events_init(struct reason *why);

/* guest_of() - returns the struct guest_uarch of any microarchitecture. */
struct guest_uarch guest_of(const struct uarch *uarch);

/*
 * events_encode() - appends `list` to `out`, with names of libpfm4 replaced by
 * cpu/event=...,name='...'/; commas, {groups} and modifiers stay. A plain name belongs to `uarch`;
 * NULL: only names with a PMU in front (hsw::...) are looked up. -EINVAL with the reason: libpfm4
 * knows an event but cannot encode it.
 */
int events_encode(struct buf *out, const char *list, const struct guest_uarch *uarch,
		  struct reason *why);

/*
 * events_find() - looks up the event at the start of `item` in libpfm4: type, config*, and
 * exclude_user or exclude_kernel for its own modifiers. `*taken` receives the length of its name;
 * perf's modifiers follow it. `uarch` as in events_encode(). -ENOENT: unknown; -EINVAL with the
 * reason: libpfm4 cannot encode it, or it belongs to another PMU than the core's.
 */
int events_find(const char *item, const struct guest_uarch *uarch, struct perf_event_attr *attr,
		size_t *taken, struct reason *why);

/* events_known() - returns whether libpfm4 knows `name`. `uarch` as in events_encode(). */
bool events_known(const char *name, const struct guest_uarch *uarch);

#define EVENTS_MOST 64 /* limit of a command of the image */

/* The machine whose image gets the events, as far as it is known. */
struct events_machine {
	const struct guest_uarch *uarch; /* microarchitecture of its PMU; NULL: unknown */
	const struct registered *image;  /* names of its image; NULL: unknown */
};

/*
 * events_parse() - parses `list` for that machine, with names of libpfm4, into `specs`, which has
 * room for `most`. The id of a tracepoint is its number in the image's table, from 1. Returns the
 * number of events; -EINVAL: the list is wrong.
 */
int events_parse(const char *list, const struct events_machine *machine,
		 struct pmu_event_spec *specs, size_t most);

/*
 * events_encode_words() - encodes the event lists in a command line for the image, up to `--`:
 * those of every -e and --event of `stat` and `record`. For `plan` also those of --sibling and
 * --node, for the microarchitecture of its own --uarch. Changed words are allocated and never
 * freed: they live as long as the command line. A list that the image would refuse stays unchanged.
 *
 * If the only command has a mistake, it returns -EINVAL with the reason and the column in the typed
 * list. With several commands it calls `refused`, and the image refuses that one and runs the
 * others.
 */
int events_encode_words(const char **words, const struct events_machine *machine,
			void (*refused)(const char *command, const char *what), struct reason *why);

/*
 * events_check_anywhere() - checks the event lists of one command for a machine whose PMU is not
 * known: one microarchitecture at least has to know all of them. -EINVAL with the reason.
 */
int events_check_anywhere(const char *const *words, const struct registered *image,
			  struct reason *why);

/* events_tell_refused() - prints the mistake of a command. The image will refuse the command,
 * too, but does not know libpfm4's names. */
void events_tell_refused(const char *command, const char *what);

/*
 * events_answer() - turns the result `err` of events_find() into that of a struct pmu_namer: 1 for
 * an event, 0 for an unknown name, otherwise `err` with the reason in `error`.
 */
int events_answer(int err, const struct reason *why, struct pmu_parse_error *error);

#endif
