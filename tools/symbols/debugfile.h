/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * debugfile.h - finds the separate file with the symbols and the debug information of a stripped
 * file, in the places where perf and gdb look. In this order:
 *   1. below the folders of debug files, by build-id;
 *   2. in perf's cache (~/.debug);
 *   3. by the name in .gnu_debuglink: beside the file, in `.debug` there, and below the folders;
 *   4. at the servers of DEBUGINFOD_URLS.
 * A file with another build-id or checksum is ignored.
 */
#ifndef TOOLS_SYMBOLS_DEBUGFILE_H
#define TOOLS_SYMBOLS_DEBUGFILE_H

#include <elfutils/libdw.h>
#include <stdbool.h>

#include "tools/symbols/elf_file.h"

/* Folders of debug files, separated by colons; the default is /usr/lib/debug. */
#define DEBUGFILE_VARIABLE "PERF0_DEBUG_PATH"

/*
 * debugfile_open() - opens the debug file of `elf`, which was read from `path`. Returns false if
 * there is none.
 */
bool debugfile_open(struct elf_file *found, const char *path, Elf *elf);

/*
 * debugfile_open_alt() - opens the file that several debug files share, which .gnu_debugaltlink of
 * `dwarf` names. `path` is the file of `dwarf`. Returns 1, 0: it names no file, or -1: the file was
 * not found.
 */
int debugfile_open_alt(struct elf_file *found, const char *path, Dwarf *dwarf);

#endif
