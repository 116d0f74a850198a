// SPDX-License-Identifier: BSD-2-Clause
/* user_copy.c - memory of ring 3 for linux/file/file_io.h. */
#include "linux/file/file_io.h"

#include "arch/x86/cpu/user.h"

int user_copy_in(void *to, uint64_t address, size_t bytes)
{
	return copy_from_user(to, address, bytes);
}

int user_copy_out(uint64_t address, const void *from, size_t bytes)
{
	return copy_to_user(address, from, bytes);
}
