/* SPDX-License-Identifier: BSD-2-Clause */
/* function.h - for assembler: FUNCTION name, which C calls, begins here. */
#ifndef TESTS_GUESTS_FUNCTION_H
#define TESTS_GUESTS_FUNCTION_H

#ifdef __ASSEMBLER__
/* clang-format would take this for C. */
/* clang-format off */
	.macro FUNCTION name
	.globl \name
	.hidden \name
	.type \name, @function
	.balign 16
\name:
	.endm
/* clang-format on */
#endif

#endif
