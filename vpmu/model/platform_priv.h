/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * platform_priv.h - functions of model_power.c and model_uncore.c for the table of registers in
 * model_platform.c: each accesses register `i` of its kind. False: #GP. A write with `really` false
 * changes nothing.
 */
#ifndef VPMU_MODEL_PLATFORM_PRIV_H
#define VPMU_MODEL_PLATFORM_PRIV_H

#include "vpmu/model/platform.h"

#define AMD_PAIR  2    /* selector, counter */
#define CHA_SPAN  0x10 /* registers of a CHA */
#define UBOX_SPAN 6    /* two selectors, a gap, status, two counters */

/* vpmu_power_find() - the index of `msr` among the personality's power registers, for the two
 * others; -1: none. vpmu_power_read() - its value. vpmu_power_write() - false: #GP. */
int vpmu_power_find(const struct vpmu_uarch *uarch, uint32_t msr);
uint64_t vpmu_power_read(const struct vpmu_platform *p, int i);
bool vpmu_power_write(const struct vpmu_platform *p, int i, uint64_t v, bool really);

bool vpmu_uncore_global_read(const struct vpmu_platform *p, unsigned i, uint64_t *v);
bool vpmu_uncore_global_write(const struct vpmu_platform *p, unsigned i, uint64_t v, bool really);
bool vpmu_uncore_clock_read(const struct vpmu_platform *p, unsigned i, uint64_t *v);
bool vpmu_uncore_clock_write(const struct vpmu_platform *p, unsigned i, uint64_t v, bool really);
bool vpmu_uncore_ubox_read(const struct vpmu_platform *p, unsigned i, uint64_t *v);
bool vpmu_uncore_ubox_write(const struct vpmu_platform *p, unsigned i, uint64_t v, bool really);
bool vpmu_uncore_cha_read(const struct vpmu_platform *p, unsigned i, uint64_t *v);
bool vpmu_uncore_cha_write(const struct vpmu_platform *p, unsigned i, uint64_t v, bool really);
/* Registers of a memory channel: double words of its configuration space from VPMU_IMC_FROM on. */
#define VPMU_IMC_FROM 0xa0
uint32_t vpmu_uncore_imc_read(const struct vpmu_platform *p, unsigned channel, unsigned reg);
void vpmu_uncore_imc_write(const struct vpmu_platform *p, unsigned channel, unsigned reg,
			   uint32_t v, uint32_t mask);

bool vpmu_uncore_l3_read(const struct vpmu_platform *p, unsigned i, uint64_t *v);
bool vpmu_uncore_l3_write(const struct vpmu_platform *p, unsigned i, uint64_t v, bool really);
bool vpmu_uncore_df_read(const struct vpmu_platform *p, unsigned i, uint64_t *v);
bool vpmu_uncore_df_write(const struct vpmu_platform *p, unsigned i, uint64_t v, bool really);

#endif
