/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * events.h - event names of libpfm4 to what the image understands. The image knows perf's generic
 * names, rNNN, cpu/.../ and the software events; libpfm4 knows none of these, so that whatever it
 * knows is its own to encode, and everything else is left as it is for the image to take or refuse.
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

/* events_init() - makes libpfm4 ready, which all others here do, too. -EINVAL with the reason. */
int events_init(struct reason *why);

/* guest_of() - what the others take, for any microarchitecture. */
struct guest_uarch guest_of(const struct uarch *uarch);

/*
 * events_encode() - appends `list` to `out` with the names of libpfm4 replaced by
 * cpu/event=...,name='...'/; commas, {groups} and modifiers stay. A plain name is one of `uarch`'s;
 * NULL: only names with a PMU in front (hsw::...) are looked up. -EINVAL with the reason for an
 * event that libpfm4 knows but can not encode.
 */
int events_encode(struct buf *out, const char *list, const struct guest_uarch *uarch,
		  struct reason *why);

/*
 * events_find() - what libpfm4 says of the event at the start of `item`: its type and config*, and
 * exclude_user or exclude_kernel where its own modifiers say so; `*taken` characters of `item` are
 * its name, what is left are perf's modifiers. `uarch` as above. -ENOENT: it does not know it;
 * -EINVAL with the reason: it can not encode it, or it is no event of the core's PMU.
 */
int events_find(const char *item, const struct guest_uarch *uarch, struct perf_event_attr *attr,
		size_t *taken, struct reason *why);

/* events_known() - whether `name` is one of libpfm4's. `uarch` as above. */
bool events_known(const char *name, const struct guest_uarch *uarch);

#define EVENTS_MOST 64 /* as many as a command of the image takes */

/* The known facts of the machine whose image gets the events. */
struct events_machine {
	const struct guest_uarch *uarch; /* of its PMU; NULL: not known */
	const struct registered *image;  /* what that has by name; NULL: not known */
};

/*
 * events_parse() - the events that `list` means there, names of libpfm4 among them, into `specs`,
 * room for `most`; the id of a tracepoint is its number in the image's table, from 1. Returns how
 * many they are, -EINVAL: it is wrong.
 */
int events_parse(const char *list, const struct events_machine *machine,
		 struct pmu_event_spec *specs, size_t most);

/*
 * events_encode_words() - does that to the operand of every -e and --event of `stat` and `record`
 * in a command line for the image, as far as `--`; and to those, --sibling and --node of `plan`,
 * for the microarchitecture that its own --uarch names. Words that change are allocated and never
 * freed: they live as long as the command line. A list that the image would refuse stays as it is.
 * -EINVAL with the reason, and the column in what was typed, when that is in the only command; of
 * several, `refused` is called, for the image to refuse that one and go on with the others.
 */
int events_encode_words(const char **words, const struct events_machine *machine,
			void (*refused)(const char *command, const char *what), struct reason *why);

/* events_tell_refused() - says so: the image will refuse that command, too, but knows nothing of
 * libpfm4's names. */
void events_tell_refused(const char *command, const char *what);

/*
 * events_answer() - what a struct pmu_namer answers that asked events_find(), which returned `err`:
 * 1 for an event, 0 where there is none of that name, else `err` with the reason in `error`.
 */
int events_answer(int err, const struct reason *why, struct pmu_parse_error *error);

#endif
