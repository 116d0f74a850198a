// SPDX-License-Identifier: BSD-2-Clause
/* guest_uarch.c - see guest_uarch.h. */
#include "tools/events/guest_uarch.h"

#include <stddef.h>
#include <string.h>

#define GUEST(id, vendor, pfm) {#id, pfm, VPMU_##vendor == VPMU_AMD, NULL, 0},

static const struct guest_uarch uarchs[] = {VPMU_PERSONALITIES(GUEST)};

const struct guest_uarch *guest_uarch_find(const char *name)
{
	for (size_t i = 0; i < sizeof(uarchs) / sizeof(uarchs[0]); i++)
		if (!strcmp(uarchs[i].name, name))
			return &uarchs[i];
	return NULL;
}
