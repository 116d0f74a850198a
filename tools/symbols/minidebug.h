/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * minidebug.h - the symbols that .gnu_debugdata of a stripped file has: an ELF file in xz, as
 * Fedora's packages carry it ("MiniDebugInfo", gdb's manual).
 */
#ifndef TOOLS_SYMBOLS_MINIDEBUG_H
#define TOOLS_SYMBOLS_MINIDEBUG_H

#include <stdbool.h>

#include "tools/symbols/elf_file.h"

/* minidebug_open() - that file of `elf`, at most 64 MiB; false: there is none that can be read. */
bool minidebug_open(struct elf_file *found, Elf *elf);

#endif
