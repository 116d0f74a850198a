// SPDX-License-Identifier: BSD-2-Clause
/* uarch.c - see uarch.h. */
#include "tools/events/uarch.h"

#include <stddef.h>
#include <string.h>

static const struct guest_uarch uarchs[] = {
	{"hsw", "hsw", false},
	{"skx", "skx", false},
	{"icl", "icl", false},
	{"adl", "adl_glc", false},
	{"zen4", "amd64_fam19h_zen4", true},
};

const struct guest_uarch *guest_uarch_find(const char *name)
{
	for (size_t i = 0; i < sizeof(uarchs) / sizeof(uarchs[0]); i++)
		if (!strcmp(uarchs[i].name, name))
			return &uarchs[i];
	return NULL;
}
