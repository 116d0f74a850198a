/* SPDX-License-Identifier: BSD-2-Clause */
/* demangle.h - turns mangled function names of C++ and Rust into those of the sources. */
#ifndef TOOLS_SYMBOLS_DEMANGLE_H
#define TOOLS_SYMBOLS_DEMANGLE_H

/*
 * demangle() - returns the source name of the symbol `name`. A Rust name loses the hash of its
 * crate, as in perf. Names of other languages are returned unchanged, and so is a name whose text
 * would have more than 65536 bytes. The result is valid until the next call.
 */
const char *demangle(const char *name);

#endif
