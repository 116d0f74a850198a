/* SPDX-License-Identifier: BSD-2-Clause */
/* source.h - the text of source lines, if the sources are still in their place. */
#ifndef TOOLS_SYMBOLS_SOURCE_H
#define TOOLS_SYMBOLS_SOURCE_H

#include <stddef.h>

/*
 * source_line() - writes "name:line text" for a line of `file` to `out`, of `size` bytes, cut if it
 * is too long. DWARF names `file` by its path or from the folder of the build, which is searched
 * above the ELF file at `elf_path`. Without the file, "name:line" alone.
 */
void source_line(char *out, size_t size, const char *elf_path, const char *file, unsigned line);

#endif
