/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * vcpu_cores.h - the model of a core (vpmu/micro/) for each vCPU, and the shared caches, by the
 * personality's geometry (vpmu/model/geometry.h). There is one set. Never called while the guest
 * executes.
 */
#ifndef VPMU_PLUGIN_VCPU_CORES_H
#define VPMU_PLUGIN_VCPU_CORES_H

#include "vpmu/micro/micro.h"
#include "vpmu/plugin/run_time.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * cores_begin() - for `vcpus` of personality `uarch`, with enum micro_flags; false: no model
 * exists, or no memory. cores_add() - the core of the next vCPU, from 0 on, with micro_init()'s
 * arguments; NULL: no place.
 */
bool cores_begin(const char *uarch, unsigned vcpus, unsigned flags);
struct micro *cores_add(unsigned vcpu, micro_translate_fn *translate, uint64_t *counts);

/* cores_add_time() - the core in time of a vCPU, of zeros; false: no memory. cores_model(): the
 * tables of the large cores, by which all instructions are described. */
bool cores_add_time(unsigned vcpu, struct run_time *time, uint64_t *counts);
const struct core_model *cores_model(void);

/* cores_geometry() - the geometry of the large cores; NULL before cores_begin(). */
const struct geometry *cores_geometry(void);

/* cores_reset_shared() - empties the shared caches. */
void cores_reset_shared(void);

/* cores_zeros() - memory that is never freed, aligned to 64 bytes. Aborts without memory, as QEMU
 * does. */
void *cores_zeros(size_t bytes);

#endif
