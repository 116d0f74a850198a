/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * programs.h - how the host tool hands commands, and programs with their files, to the image: as
 *files of QEMU's fw_cfg. A machine that is restored sees the files of the new QEMU. In a machine
 *that stays, the same bytes are uploaded (wire.h) as a file of the same name.
 *
 * All programs and files are in one, the pack: a cpio archive of the format `newc` (lib/cpio.h),
 * sorted by name, every name once, parents before what is in them. Only name, kind, permissions
 *(0755 or 0644), content and the number of an entry say something; all else is 0. Behind a name
 *there may be more zeros than cpio needs: content that has a page or more begins at a multiple of
 * PROGRAMS_PAGE of the pack, so that it can be mapped as it lies.
 *
 * Names that begin with '/' are files, folders and symbolic links of the file tree. All others tell
 * about the run:
 *
 *	cwd        the folder in which programs start, absolute; it is in the tree
 *	env        their environment: K=V, each terminated
 *	argv.N     N = 0, 1, ...: the path of a program, then its arguments from argv[0] on, each
 *	           terminated; a command has the word argv.N where the program's path would stand,
 *and nothing behind it stdin      standard input, from its start for each run of a program; none:
 *it is empty input      standard input is asked for by frames INPUT (wire.h), and there is no stdin
 *bring      paths, absolute or relative to cwd, each terminated: files that are sent as frames FILE
 *(wire.h) behind each command that has run a program, by their number, from 0 seed a decimal number
 *below 2^64, from which all that is random comes prefault   "1": pages of programs and libraries
 *are there from the start; "0": with the first access; none: the image decides
 * allow-wx   "1": programs may have memory that is both writable and executable
 *
 * An image skips names that it does not know.
 */
#ifndef PERF0_PROGRAMS_H
#define PERF0_PROGRAMS_H

#include <stdint.h>

/* The commands that an image runs which was told to await them. */
#define PROGRAMS_COMMANDS "opt/perf0/commands"

#define PROGRAMS_PACK      "opt/perf0/programs"
#define PROGRAMS_PACK_MOST UINT32_MAX /* bytes of it, as fw_cfg has it */
#define PROGRAMS_PAGE      4096u

#define PROGRAMS_CWD      "cwd"
#define PROGRAMS_ENV      "env"
#define PROGRAMS_ARGV     "argv." /* and a number */
#define PROGRAMS_STDIN    "stdin"
#define PROGRAMS_INPUT    "input"
#define PROGRAMS_BRING    "bring"
#define PROGRAMS_SEED     "seed"
#define PROGRAMS_PREFAULT "prefault"
#define PROGRAMS_ALLOW_WX "allow-wx"

/* Of arguments and environment, as Linux has it (execve(2)). */
#define PROGRAMS_STRING_MOST (UINT32_C(128) << 10) /* bytes of one, with its end */
#define PROGRAMS_ARGS_MOST   (UINT32_C(2) << 20)   /* of all, with a pointer for each */

/* Files that are sent to a machine that runs: bytes of a name, with its end, and of a file. */
#define PROGRAM_PATH_MAX 256
#define PROGRAM_MOST     PROGRAMS_PACK_MOST

/* Bytes of the words of a program in a command line, with their ends. */
#define PROGRAM_WORDS_BYTES 4096

/*
 * Files that were sent to a machine that runs take no more than one page in so many; and while a
 * line runs, those that it does not name no more than one in so many.
 */
#define PROGRAMS_SENT_SHARE 2
#define PROGRAMS_KEPT_SHARE 8

#endif
