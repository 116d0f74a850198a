/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * programs.h - how the host tool hands commands and ELF files to the image: as files of QEMU's
 * fw_cfg. ELF files are numbered from 0 on without gaps: of each the path by which it is called,
 * without a terminator, and what is in it. A machine that is restored sees the files of the new
 * QEMU.
 */
#ifndef PERF0_PROGRAMS_H
#define PERF0_PROGRAMS_H

/* The commands that an image runs which was told to await them. */
#define PROGRAMS_COMMANDS "opt/perf0/commands"

#define PROGRAMS_PATH "opt/perf0/program%u/path"
#define PROGRAMS_FILE "opt/perf0/program%u/file"

#endif
