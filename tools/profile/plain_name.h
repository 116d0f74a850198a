/* SPDX-License-Identifier: BSD-2-Clause */
/* plain_name.h - names of functions without what differs from one build to the next. */
#ifndef TOOLS_PROFILE_PLAIN_NAME_H
#define TOOLS_PROFILE_PLAIN_NAME_H

#include "tools/util/buf.h"

/*
 * profile_plain_name() - replaces the contents of `out` by the plain form of a demangled name, and
 * returns them. It has no parameters, no return type, no qualifiers behind the parameters, no
 * suffix of a compiler's copy (.constprop.N, .isra.N, .part.N, .cold, .llvm.N, .lto_priv.N, [clone
 * ...]), no version of a symbol (@@GLIBC_2.34), and no hash of Rust. Parameters of templates stay.
 */
const char *profile_plain_name(struct buf *out, const char *name);

#endif
