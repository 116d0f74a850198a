/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sample_profile.h - clang's sample profile as text ("Sample Profile Text Format" of Clang's User's
 * Manual), for -fprofile-sample-use. Each line of a function, counted from where the function is
 * declared, has the number of its executions; inlined functions have profiles of their own below
 * their call.
 */
#ifndef TOOLS_PGO_SAMPLE_PROFILE_H
#define TOOLS_PGO_SAMPLE_PROFILE_H

#include "tools/pgo/executed.h"
#include "tools/pgo/linker_names.h"
#include "tools/util/buf.h"

/*
 * sample_profile() - appends the profile of `executed`. Returns 0, or -ENODATA with the reason: the
 * file has no debug information.
 */
int sample_profile(struct buf *out, const struct executed *executed,
		   const struct pgo_functions *functions, struct reason *why);

#endif
