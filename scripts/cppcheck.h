/* SPDX-License-Identifier: BSD-2-Clause */
/* cppcheck.h - what cppcheck must know of the compiler. */
#define __STDC_HOSTED__ 1
#define __x86_64__      1
