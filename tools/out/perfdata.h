/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * perfdata.h - writes one recording of a stream as a perf.data file that stock perf reads.
 *
 * Every sample is marked as user mode, even in ring 0: perf would resolve kernel samples against
 * the kernel of its own machine. For every sampled task, the image's code is mapped at its
 * addresses of ring 3 and of ring 0, with the path and the build-id of its ELF file. The file
 * contains no private data. Records are in the order of time.
 */
#ifndef TOOLS_OUT_PERFDATA_H
#define TOOLS_OUT_PERFDATA_H

#include "tools/symbols/elf_image.h"
#include "tools/out/features.h"
#include "lib/reason.h"
#include "tools/stream/stream.h"

#define PERFDATA_DEFAULT "perf.data"

/*
 * perfdata_check() - checks whether perf can read such a recording. Returns 0, or -EINVAL with the
 * reason. The functions below that have no `why` require a checked recording.
 */
int perfdata_check(const struct stream *stream, const struct stream_command *command,
		   struct reason *why);

/* perfdata_attr() - returns an event's attr as perf should see it. */
struct perf_event_attr perfdata_attr(const struct stream_event *event);

/* perfdata_input() - returns the input of the recording's feature sections. */
struct features_input perfdata_input(const struct stream *stream,
				     const struct stream_command *command,
				     const struct elf_image *elf);

/*
 * perfdata_add_records() - appends the data of a perf.data: first the records that make addresses
 * readable, and then all records in the order of time. Writes them to the buffer's file.
 */
void perfdata_add_records(struct buf *out, const struct stream *stream,
			  const struct stream_command *command, const struct elf_image *elf);

/*
 * perfdata_build() - appends the whole file to the empty `out`, whose file, if any, can seek. `elf`
 * is the image's ELF file; NULL: none fits, and samples stay addresses. Returns 0, or -EINVAL with
 * the reason: perf could not read such a recording.
 */
int perfdata_build(struct buf *out, const struct stream *stream,
		   const struct stream_command *command, const struct elf_image *elf,
		   struct reason *why);

#endif
