/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bolt_fdata.h - the profile that llvm-bolt reads with -data (bolt/include/bolt/Profile/
 * DataReader.h describes it). A line is a branch, or a step from a block into the next one:
 *
 *	IS_SYMBOL FUNCTION OFFSET IS_SYMBOL FUNCTION OFFSET MISPREDICTED COUNT
 */
#ifndef TOOLS_PGO_BOLT_FDATA_H
#define TOOLS_PGO_BOLT_FDATA_H

#include "tools/pgo/executed.h"
#include "tools/pgo/linker_names.h"
#include "tools/util/buf.h"

/* bolt_fdata() - appends the profile of `executed`, whose functions are `functions`. */
void bolt_fdata(struct buf *out, const struct executed *executed,
		const struct pgo_functions *functions);

#endif
