// SPDX-License-Identifier: BSD-2-Clause
/* shim_user_copy.c - see shim_user_copy.h. */
#include "linux/file/file_io.h"
#include "tests/shim/shim_user_copy.h"

#include <linux/errno.h>
#include <string.h>

struct user_copy_hole user_copy_hole;

static bool is_user_range(uint64_t address, size_t bytes)
{
	const struct user_copy_hole *hole = &user_copy_hole;

	return address >= 4096 && address >> 47 == 0 && (address + bytes - 1) >> 47 == 0 &&
	       (address + bytes <= hole->address || address >= hole->address + hole->bytes);
}

int user_copy_in(void *to, uint64_t address, size_t bytes)
{
	if (!bytes)
		return 0;
	if (!is_user_range(address, bytes))
		return -EFAULT;
	memcpy(to, (const void *)address, bytes);
	return 0;
}

int user_copy_out(uint64_t address, const void *from, size_t bytes)
{
	if (!bytes)
		return 0;
	if (!is_user_range(address, bytes))
		return -EFAULT;
	memcpy((void *)address, from, bytes);
	return 0;
}
