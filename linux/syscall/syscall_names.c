// SPDX-License-Identifier: BSD-2-Clause
/* syscall_names.c - see syscall_names.h. */
#include "linux/syscall/syscall_names.h"

#include <stddef.h>

static const struct {
	int number;
	char name[28];
} names[] = {
#include "build/gen/syscall_names.inc"
};

const char *syscall_name(long number)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (names[i].number == number)
			return names[i].name;
	return NULL;
}
