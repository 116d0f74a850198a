/* SPDX-License-Identifier: BSD-2-Clause */
/* try.h - runs an instruction that may fault, in the guest's world, and reports its exception. */
#ifndef TESTS_GUESTS_TRY_H
#define TESTS_GUESTS_TRY_H

#include "arch/x86/insn.h"

/* try_begin() - forgets earlier faults. try_tell(): prints the fault since then, with `what`
 * before it. */
void try_begin(void);
void try_tell(const char *what);

/* try_vector() - returns the exception's vector, or TRY_NONE where there was none. */
#define TRY_NONE 999
unsigned try_vector(void);

/* `code` has one instruction that may fault, which stands at label 1; then comes `behind`. */
#define TRY_AND(what, code, behind, ...)                                                \
	do {                                                                            \
		try_begin();                                                            \
		__asm__ volatile(code "\n2:\n\t" behind "\n\t" INSN_EXTABLE("1b", "2b") \
				 :                                                      \
				 : __VA_ARGS__                                          \
				 : "rax", "rbx", "rcx", "rdx", "r8", "memory", "cc");   \
		try_tell(what);                                                         \
	} while (0)
#define TRY(what, code, ...) TRY_AND(what, code, "", __VA_ARGS__)

#endif
