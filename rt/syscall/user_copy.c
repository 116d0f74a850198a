// SPDX-License-Identifier: BSD-2-Clause
/* user_copy.c - how files reach the memory of programs. */
#include "arch/x86/cpu/user.h"
#include "rt/file/io.h"

int user_copy_out(uint64_t to, const void *from, size_t n)
{
	return copy_to_user(to, from, n);
}

int user_copy_in(void *to, uint64_t from, size_t n)
{
	return copy_from_user(to, from, n);
}
