/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * perfdata.h - one recording of a stream as a perf.data file that stock perf reads.
 *
 * Every sample is marked as one of user mode, ring 0's too: perf would resolve kernel samples
 * against the kernel of the machine it runs on. The image's code is mapped, for every task that was
 * sampled, where ring 3 and where ring 0 has it, under the path and the build-id of its ELF file.
 * Nothing private goes into the file. Records are in order of time.
 */
#ifndef TOOLS_PERFDATA_H
#define TOOLS_PERFDATA_H

#include "tools/elf_image.h"
#include "tools/reason.h"
#include "tools/stream.h"

#define PERFDATA_DEFAULT "perf.data"

struct perfdata_summary {
	uint64_t bytes;   /* of the file */
	uint64_t samples; /* in it */
};

/*
 * perfdata_build() - appends the whole file to `out`, which is empty. `elf` is the image's ELF
 * file, or NULL when there is none that fits: samples stay addresses. Returns 0, or -EINVAL with
 * the reason when perf could not read such a recording.
 */
int perfdata_build(struct buf *out, const struct stream *stream,
		   const struct stream_command *command, const struct elf_image *elf,
		   struct perfdata_summary *summary, struct reason *why);

/*
 * perfdata_write() - the same as file `path`, by way of a temporary file beside it: either the old
 * or the whole new file is there, never half of one. An old file is kept as `path`.old.
 */
int perfdata_write(const char *path, const struct stream *stream,
		   const struct stream_command *command, const struct elf_image *elf,
		   struct perfdata_summary *summary, struct reason *why);

#endif
