/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * vcpu_cores.h - the model of a core (vpmu/micro/) of each vCPU, and the caches that they share, as
 * vpmu/model/geometry.h has them of a personality. One set; in no call of the guest's.
 */
#ifndef VPMU_PLUGIN_VCPU_CORES_H
#define VPMU_PLUGIN_VCPU_CORES_H

#include "vpmu/micro/micro.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * cores_begin() - for `vcpus` of the personality `uarch`, with enum micro_flags; false: there is
 * no model of it, or no memory. cores_add() - the core of the next vCPU, from 0 on, as micro_init()
 * has its arguments; NULL: it found no place.
 */
bool cores_begin(const char *uarch, unsigned vcpus, unsigned flags);
struct micro *cores_add(unsigned vcpu, micro_translate_fn *translate, uint64_t *counts);

/* cores_geometry() - of all but the small cores; NULL before cores_begin(). */
const struct geometry *cores_geometry(void);

/* cores_reset_shared() - what several cores share is as new. */
void cores_reset_shared(void);

/* cores_zeros() - memory for good, aligned to 64 bytes; there is none: it aborts, as QEMU does. */
void *cores_zeros(size_t bytes);

#endif
