/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * programs.h - how the host tool hands commands and ELF files to the image: as files of QEMU's
 * fw_cfg. All ELF files are in one, for QEMU has room for few:
 *
 *   struct programs_head
 *   struct programs_row, `n` of them
 *   what is in the first ELF file, in the second, ...
 *
 * A machine that is restored sees the files of the new QEMU.
 */
#ifndef PERF0_PROGRAMS_H
#define PERF0_PROGRAMS_H

#include <stdint.h>

/* The commands that an image runs which was told to await them. */
#define PROGRAMS_COMMANDS "opt/perf0/commands"

#define PROGRAMS_PACK      "opt/perf0/programs"
#define PROGRAMS_PACK_MOST UINT32_MAX /* bytes of it, as fw_cfg has it */

#define PROGRAM_PATH_MAX 256 /* bytes, with its end */
#define PROGRAM_WORDS_MAX                                                      \
	16 /* with its name; WORKLOAD_ARGV_BYTES of task.h is for all together \
	    */
#define PROGRAM_MOST (UINT32_C(256) << 20) /* bytes of one ELF file */

/*
 * Files that were sent to a machine that runs take no more than one page in so many; and while a
 * line runs, those that it does not name no more than one in so many.
 */
#define PROGRAMS_SENT_SHARE 2
#define PROGRAMS_KEPT_SHARE 8

struct programs_head {
	uint32_t n;
	uint32_t reserved;
};

struct programs_row {
	uint64_t offset, bytes;      /* where in the pack the ELF file lies */
	char path[PROGRAM_PATH_MAX]; /* by which it is called, terminated */
};

#endif
