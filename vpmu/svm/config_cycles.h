/* SPDX-License-Identifier: BSD-2-Clause */
/* config_cycles.h - PCI devices that the personality has and the machine lacks. */
#ifndef VPMU_SVM_CONFIG_CYCLES_H
#define VPMU_SVM_CONFIG_CYCLES_H

#include <stdbool.h>

struct vpmu_cpu;
struct vpmu_io;
struct vpmu_uarch;

/* vpmu_config_cycles_init() - shows the personality's devices, if it has any, in slots that the
 * machine leaves free. On the boot CPU, once. */
void vpmu_config_cycles_init(const struct vpmu_uarch *uarch);

/* vpmu_config_cycles_emulate() - emulates an access to such a device; false: the access is for the
 * machine. */
bool vpmu_config_cycles_emulate(struct vpmu_cpu *cpu, struct vpmu_io *io);

#endif
