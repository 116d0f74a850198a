/* SPDX-License-Identifier: BSD-2-Clause */
/* stash_memory.h - finds again or reserves the memory of include/perf0/stash.h. Boot services. */
#ifndef BOOT_STASH_MEMORY_H
#define BOOT_STASH_MEMORY_H

#include <efi.h>

#include "include/perf0/handoff.h"

#include <stdbool.h>

/* stash_find() - true: the results of the previous start are there, and `handoff` tells where.
 * Their memory is taken from the firmware until stash_give_back(). */
bool stash_find(EFI_SYSTEM_TABLE *st, struct handoff *handoff);
void stash_give_back(EFI_SYSTEM_TABLE *st, const struct handoff *handoff);

/* stash_reserve() - reserves memory for the results of this start; where there is none, `handoff`
 * has no place for them. */
void stash_reserve(EFI_SYSTEM_TABLE *st, struct handoff *handoff);

#endif
