/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * minidebug.h - reads the symbols in .gnu_debugdata of a stripped file: an ELF file compressed with
 * xz, as in Fedora's packages ("MiniDebugInfo", gdb's manual).
 */
#ifndef TOOLS_SYMBOLS_MINIDEBUG_H
#define TOOLS_SYMBOLS_MINIDEBUG_H

#include <stdbool.h>

#include "tools/symbols/elf_file.h"

/*
 * minidebug_open() - unpacks and opens that file of `elf`, at most 64 MiB. Returns false if there
 * is none, or if it cannot be read.
 */
bool minidebug_open(struct elf_file *found, Elf *elf);

#endif
