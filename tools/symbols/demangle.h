/* SPDX-License-Identifier: BSD-2-Clause */
/* demangle.h - names of functions of C++ and of Rust as they stand in their sources. */
#ifndef TOOLS_SYMBOLS_DEMANGLE_H
#define TOOLS_SYMBOLS_DEMANGLE_H

/*
 * demangle() - the name that the symbol `name` has in C++ or in Rust. A Rust name loses the hash
 * of its crate, as perf prints it. A name of another language comes back as it is, and so does one
 * whose text has more than 65536 bytes. The result stands until the next call.
 */
const char *demangle(const char *name);

#endif
