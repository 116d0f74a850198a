/* SPDX-License-Identifier: BSD-2-Clause */
/* source.h - the text of source lines, as long as the sources are still where they were. */
#ifndef TOOLS_SYMBOLS_SOURCE_H
#define TOOLS_SYMBOLS_SOURCE_H

#include <stddef.h>

/*
 * source_line() - "name:line text" of a line of `file`, which DWARF names by its path or from the
 * folder of the build; that is looked for above the ELF file at `elf_path`. Without the file,
 * "name:line" alone. Fills `out`, of `size` bytes, cut where it is too long.
 */
void source_line(char *out, size_t size, const char *elf_path, const char *file, unsigned line);

#endif
