/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * debugfile.h - the separate file that has the symbols and the debug information of a stripped one,
 * where perf and gdb look for it, in this order: below the folders of debug files by its build-id,
 * in perf's own cache (~/.debug), by the name in .gnu_debuglink beside the file, in `.debug` there
 * and below the folders of debug files, then at the servers of DEBUGINFOD_URLS. A file that has
 * another build-id or checksum is none.
 */
#ifndef TOOLS_SYMBOLS_DEBUGFILE_H
#define TOOLS_SYMBOLS_DEBUGFILE_H

#include <elfutils/libdw.h>
#include <stdbool.h>

#include "tools/symbols/elf_file.h"

/* Folders of debug files, with colons between them; not set: /usr/lib/debug. */
#define DEBUGFILE_VARIABLE "PERF0_DEBUG_PATH"

/* debugfile_open() - the debug file of `elf`, which was read from `path`; false: there is none. */
bool debugfile_open(struct elf_file *found, const char *path, Elf *elf);

/*
 * debugfile_open_alt() - what .gnu_debugaltlink of `dwarf` names, the file that several share.
 * `path` is the file of `dwarf`. Returns 1, 0 where it names none, and -1 where it is not found.
 */
int debugfile_open_alt(struct elf_file *found, const char *path, Dwarf *dwarf);

#endif
