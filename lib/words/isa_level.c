// SPDX-License-Identifier: BSD-2-Clause
/* isa_level.c - see isa_level.h. */
#include "lib/words/isa_level.h"

#include "lib/string.h"

static const char *const names[ISA_LEVELS + 1] = {
	[1] = "x86-64", [2] = "x86-64-v2", [3] = "x86-64-v3", [4] = "x86-64-v4"};

const char *isa_level_name(unsigned level)
{
	return names[level];
}

unsigned isa_level_find(const char *name)
{
	for (unsigned level = 1; level <= ISA_LEVELS; level++)
		if (!strcmp(name, names[level]))
			return level;
	return 0;
}
