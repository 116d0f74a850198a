/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * programs.h - how the host tool passes commands and programs with their files to the image: as
 * files of QEMU's fw_cfg. A restored machine sees the files of the new QEMU. To a machine that
 * is already running, the tool uploads the same bytes (wire_frames.h) as a file of the same name.
 *
 * All programs and files are in one file, the pack: a cpio archive of the format `newc`
 * (lib/format/cpio.h). It is sorted by name, has every name once, and has folders before their
 * contents. Only the name, kind, permissions (0755 or 0644), content and number of an entry have a
 * meaning; all other fields are 0. A name may have more zeros after it than cpio needs: content of
 * a page or more begins at a multiple of PROGRAMS_PAGE of the pack, so that it can be mapped in
 * place.
 *
 * Names that begin with '/' are files, folders and symbolic links of the file tree. All other names
 * describe the run:
 *
 *   cwd        the working directory of programs, absolute; it is in the tree
 *   env        the environment: K=V, each terminated
 *   argv.N     N = 0, 1, ...: the path of a program, then its arguments from argv[0] on, each
 *              terminated; a command has the word argv.N in place of the path, and nothing else
 *   stdin      standard input, read from its start by each program; if missing, it is empty
 *   input      programs read standard input by frames INPUT (wire_frames.h); excludes `stdin`
 *   bring      paths, absolute or relative to cwd, each terminated: files that are sent as frames
 *              FILE (wire_frames.h) after each command that has run a program; numbered from 0
 *   seed       a decimal number below 2^64, the source of all randomness
 *   prefault   "1": pages of programs and libraries are present from the start; "0": the first
 *              access makes them present; if missing, the image decides
 *   allow-wx   "1": programs may have memory that is both writable and executable
 *
 * An image ignores unknown names.
 */
#ifndef PERF0_PROGRAMS_H
#define PERF0_PROGRAMS_H

#include <stdint.h>

/* The commands of an image that was told to await them. */
#define PROGRAMS_COMMANDS "opt/perf0/commands"

#define PROGRAMS_PACK      "opt/perf0/programs"
#define PROGRAMS_PACK_MOST UINT32_MAX /* bytes; the limit of fw_cfg */
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

/* Limits of arguments and environment, as in Linux (execve(2)). */
#define PROGRAMS_STRING_MOST (UINT32_C(128) << 10) /* bytes of one string, with the terminator */
#define PROGRAMS_ARGS_MOST   (UINT32_C(2) << 20) /* bytes of all strings, with a pointer for each */

/* Files that are sent to a running machine: bytes of a name, with the terminator, and of a file. */
#define PROGRAM_PATH_MAX 256
#define PROGRAM_MOST     PROGRAMS_PACK_MOST

/* Bytes of the words of a program in a command line, with their terminators. */
#define PROGRAM_WORDS_BYTES 4096

/*
 * Sent files take at most 1/PROGRAMS_SENT_SHARE of the memory. While a line runs, sent files that
 * it does not name take at most 1/PROGRAMS_KEPT_SHARE.
 */
#define PROGRAMS_SENT_SHARE 2
#define PROGRAMS_KEPT_SHARE 8

#endif
