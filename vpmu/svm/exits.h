/* SPDX-License-Identifier: BSD-2-Clause */
/* exits.h - the hypervisor's loop: handles an exit, and prepares the next run. */
#ifndef VPMU_SVM_EXITS_H
#define VPMU_SVM_EXITS_H

#include <stdint.h>

struct vpmu_cpu;

/* vpmu_exit() - run.S calls it after each run whose exit vmrun.S did not complete itself. Returns
 * the label at which run.S continues. */
const uint8_t *vpmu_exit(void);

/* vpmu_prepare() - chooses the mode, intercepts and timer of the next run. */
void vpmu_prepare(struct vpmu_cpu *cpu);

#endif
