/* SPDX-License-Identifier: BSD-2-Clause */
/* source.h - reads the text of source lines, if the sources still exist. */
#ifndef TOOLS_SYMBOLS_SOURCE_H
#define TOOLS_SYMBOLS_SOURCE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * source_line() - writes "name:line text" for a line of `file` to `out`, of `size` bytes; a longer
 * text is cut. DWARF gives `file` as a path, or relative to the build's folder, which is searched
 * above the ELF file at `elf_path`. Without the file it writes "name:line" alone.
 */
void source_line(char *out, size_t size, const char *elf_path, const char *file, unsigned line);

/*
 * source_text() - writes the text of a line to `out` as it is, cut to `size` bytes. Returns false:
 * there is no such line. `file` is found as by source_line().
 */
bool source_text(char *out, size_t size, const char *elf_path, const char *file, unsigned line);

#endif
