/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * profgen_text.h - the profile that llvm-profgen reads with --unsymbolized-profile: it makes the
 * profile of clang out of it, by the program's debug information. Numbers are hexadecimal except
 * for counts.
 *
 *	RANGES, then for each: FIRST-LAST:COUNT		addresses of instructions
 *	BRANCHES, then for each: FROM->TO:COUNT		those that are taken
 */
#ifndef TOOLS_PGO_PROFGEN_TEXT_H
#define TOOLS_PGO_PROFGEN_TEXT_H

#include "tools/pgo/executed.h"
#include "tools/util/buf.h"

/* profgen_text() - appends the profile; `base` is the address of the first executable segment, from
 * which llvm-profgen counts. */
void profgen_text(struct buf *out, const struct executed *executed, uint64_t base);

/*
 * autofdo_text() - the same for AutoFDO's create_gcov and create_llvm_prof, with --profiler=text.
 * An address is an offset in the file: `base` is the address of offset 0. Between ranges and
 * branches are counts of single addresses, of which there are none.
 */
void autofdo_text(struct buf *out, const struct executed *executed, uint64_t base);

#endif
