// SPDX-License-Identifier: BSD-2-Clause
/* profile_stack.c - see profile_stack.h. */
#include "tools/forms/profile_stack.h"

size_t profile_stack(const struct profile *profile, size_t context,
		     uint32_t row[PROFILE_STACK_MOST])
{
	size_t n = 0;

	for (; context; context = profile->context[context].parent) {
		if (n == PROFILE_STACK_MOST) {
			row[n - 1] = PROFILE_CUT_ROW;
			break;
		}
		row[n++] = profile->context[context].row;
	}
	if (!n)
		row[n++] = PROFILE_NO_ROW;
	return n;
}

const char *profile_frame_name(const struct profile *profile, uint32_t row)
{
	return row == PROFILE_CUT_ROW ? "[...]" : profile_row_name(profile, row);
}
