/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * guest_uarch.h - the microarchitectures that vpmu can imitate (include/perf0/personalities.h),
 * with libpfm4's names for them.
 */
#ifndef TOOLS_EVENTS_GUEST_UARCH_H
#define TOOLS_EVENTS_GUEST_UARCH_H

#include "include/perf0/personalities.h"

#include <stdbool.h>
#include <stdint.h>

struct evfiles;

struct guest_uarch {
	const char *name;            /* vpmu's name */
	const char *pfm;             /* libpfm4's name of its PMU */
	bool amd;                    /* raw encodings are AMD's */
	const struct evfiles *files; /* files whose names precede libpfm4's; NULL: none */
	uint8_t core;                /* the selected cores of a hybrid; 0: all */
};

/* guest_uarch_find() - finds a microarchitecture by vpmu's name; NULL: there is none. */
const struct guest_uarch *guest_uarch_find(const char *name);

#endif
