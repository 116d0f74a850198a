/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * guest_uarch.h - the microarchitectures that vpmu can show (include/perf0/personalities.h), as the
 * host tool asks libpfm4 for their events.
 */
#ifndef TOOLS_EVENTS_GUEST_UARCH_H
#define TOOLS_EVENTS_GUEST_UARCH_H

#include "include/perf0/personalities.h"

#include <stdbool.h>
#include <stdint.h>

struct evfiles;

struct guest_uarch {
	const char *name;            /* vpmu's */
	const char *pfm;             /* libpfm4's PMU */
	bool amd;                    /* the raw encoding is AMD's */
	const struct evfiles *files; /* whose names go before libpfm4's; NULL: none */
	uint8_t core;                /* of a hybrid, the cores that are meant; 0: each */
};

/* guest_uarch_find() - finds a microarchitecture by vpmu's name; NULL: there is none. */
const struct guest_uarch *guest_uarch_find(const char *name);

#endif
