/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * uarch.h - the microarchitectures that vpmu can show, with the name under which libpfm4 knows
 * their core PMU.
 */
#ifndef TOOLS_EVENTS_UARCH_H
#define TOOLS_EVENTS_UARCH_H

#include <stdbool.h>

struct guest_uarch {
	const char *name; /* vpmu's */
	const char *pfm;  /* libpfm4's PMU */
	bool amd;         /* the raw encoding is AMD's */
};

#define UARCH_DEFAULT "skx"

/* guest_uarch_find() - by vpmu's name; NULL: there is none. */
const struct guest_uarch *guest_uarch_find(const char *name);

#endif
