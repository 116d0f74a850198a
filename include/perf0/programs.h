/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * programs.h - how the host tool hands ELF files to the image: as files of QEMU's fw_cfg, numbered
 * from 0 on without gaps, of each the path by which it is called, without a terminator, and what is
 * in it.
 */
#ifndef PERF0_PROGRAMS_H
#define PERF0_PROGRAMS_H

#define PROGRAMS_MAX     8
#define PROGRAM_PATH_MAX 256 /* bytes, with its end */
#define PROGRAM_WORDS_MAX                                                      \
	16 /* with its name; WORKLOAD_ARGV_BYTES of task.h is for all together \
	    */

#define PROGRAMS_PATH "opt/perf0/program%u/path"
#define PROGRAMS_FILE "opt/perf0/program%u/file"

#endif
