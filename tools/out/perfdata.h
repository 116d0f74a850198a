/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * perfdata.h - one recording of a stream as a perf.data file that stock perf reads.
 *
 * Every sample is marked as one of user mode, ring 0's too: perf would resolve kernel samples
 * against the kernel of the machine it runs on. The image's code is mapped, for every task that was
 * sampled, where ring 3 and where ring 0 has it, under the path and the build-id of its ELF file.
 * Nothing private goes into the file. Records are in order of time.
 */
#ifndef TOOLS_OUT_PERFDATA_H
#define TOOLS_OUT_PERFDATA_H

#include "tools/symbols/elf_image.h"
#include "tools/out/features.h"
#include "lib/reason.h"
#include "tools/stream/stream.h"

#define PERFDATA_DEFAULT "perf.data"

/*
 * perfdata_check() - can perf read such a recording? 0, or -EINVAL with the reason. The functions
 * below that take no reason want a recording that was checked.
 */
int perfdata_check(const struct stream *stream, const struct stream_command *command,
		   struct reason *why);

/* perfdata_attr() - an event's attr as perf is to see it. */
struct perf_event_attr perfdata_attr(const struct stream_event *event);

/* perfdata_input() - what the feature sections of the recording are made of. */
struct features_input perfdata_input(const struct stream *stream,
				     const struct stream_command *command,
				     const struct elf_image *elf);

/*
 * perfdata_add_records() - appends all records, in order of time, behind those that the tool adds
 * to make addresses readable: what a file has as its data. They are settled.
 */
void perfdata_add_records(struct buf *out, const struct stream *stream,
			  const struct stream_command *command, const struct elf_image *elf);

/*
 * perfdata_build() - appends the whole file to `out`, which is empty (where it has a file, that
 * can seek). `elf` is the image's ELF
 * file, or NULL when there is none that fits: samples stay addresses. Returns 0, or -EINVAL with
 * the reason when perf could not read such a recording.
 */
int perfdata_build(struct buf *out, const struct stream *stream,
		   const struct stream_command *command, const struct elf_image *elf,
		   struct reason *why);

#endif
