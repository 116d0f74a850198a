/* SPDX-License-Identifier: BSD-2-Clause */
/* demangle.h - names of C++ functions as they stand in its sources. */
#ifndef TOOLS_UTIL_DEMANGLE_H
#define TOOLS_UTIL_DEMANGLE_H

/*
 * demangle() - what the symbol `name` means in C++, or `name` itself where it is none of C++, or
 * where this system has no libstdc++. It stands until the next call.
 */
const char *demangle(const char *name);

#endif
