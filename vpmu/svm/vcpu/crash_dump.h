/* SPDX-License-Identifier: BSD-2-Clause */
/* crash_dump.h - ends the machine after an error of vpmu's own, with its state on COM1. */
#ifndef VPMU_SVM_VCPU_CRASH_DUMP_H
#define VPMU_SVM_VCPU_CRASH_DUMP_H

#include "include/perf0/vpmu.h"

#include <stdint.h>

/* vpmu_dump_init() - called once, on the boot CPU, before the first run. */
void vpmu_dump_init(const struct vpmu_config *config);

/* vpmu_die() - prints the state and `why` on the first serial port, then resets the machine. */
_Noreturn void vpmu_die(const char *why);

/* vpmu_host_died() - the same for a fault of the host; host_idt.S passes the CPU's frame. */
_Noreturn void vpmu_host_died(const uint64_t *stack);

_Noreturn void vpmu_reset_machine(void);

#endif
