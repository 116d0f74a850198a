/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * plt_names.h - names of the entries of an ELF file's procedure linkage table, which have no
 * symbols (System V ABI for AMD64, "Procedure Linkage Table").
 */
#ifndef TOOLS_PROFILE_PLT_NAMES_H
#define TOOLS_PROFILE_PLT_NAMES_H

#include <libelf.h>
#include <stdint.h>

#include "tools/symbols/symbols.h"

/*
 * plt_names_each() - calls `fn` for each entry of .plt, .plt.sec and .plt.got with the addresses of
 * its code, and the name of the function that its relocation names. An entry for a function of the
 * file itself (IRELATIVE) has the name in `symbols`. Entries without a name are skipped.
 */
void plt_names_each(Elf *elf, const struct symbols *symbols,
		    void (*fn)(void *ctx, uint64_t start, uint64_t end, const char *name),
		    void *ctx);

#endif
