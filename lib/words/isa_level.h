/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * isa_level.h - the names of the levels of x86-64 (System V ABI, AMD64, "Micro-Architecture
 * Levels"), as compilers and libc have them.
 */
#ifndef LIB_WORDS_ISA_LEVEL_H
#define LIB_WORDS_ISA_LEVEL_H

#define ISA_LEVELS 4 /* x86-64, x86-64-v2, -v3, -v4 */

/* isa_level_name() - returns the name of a level from 1 to ISA_LEVELS. isa_level_find() - returns
 * the level of a name; 0: there is none. */
const char *isa_level_name(unsigned level);
unsigned isa_level_find(const char *name);

#endif
