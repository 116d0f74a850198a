/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * shim_user_copy.h - memory of ring 3 in host tests: the test's memory, except for page 0,
 * addresses that ring 3 cannot have, and one hole.
 */
#ifndef TESTS_SHIM_SHIM_USER_COPY_H
#define TESTS_SHIM_SHIM_USER_COPY_H

#include <stdint.h>

extern struct user_copy_hole {
	uint64_t address, bytes;
} user_copy_hole;

#endif
