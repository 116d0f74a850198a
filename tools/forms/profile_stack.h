/* SPDX-License-Identifier: BSD-2-Clause */
/* profile_stack.h - the stack of functions of a calling context. */
#ifndef TOOLS_FORMS_PROFILE_STACK_H
#define TOOLS_FORMS_PROFILE_STACK_H

#include "tools/profile/profile_fold.h"

#define PROFILE_STACK_MOST 1024u                /* functions; outer ones beyond it are dropped */
#define PROFILE_CUT_ROW    (PROFILE_NO_ROW - 1) /* stands for those */

/*
 * profile_stack() - stores the rows of a context, innermost first, and returns their number.
 * PROFILE_NO_ROW is unknown code, in which the root is, too.
 */
size_t profile_stack(const struct profile *profile, size_t context,
		     uint32_t row[PROFILE_STACK_MOST]);

/* profile_frame_name() - returns the name of a row of a stack. */
const char *profile_frame_name(const struct profile *profile, uint32_t row);

#endif
