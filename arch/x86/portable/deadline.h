/* SPDX-License-Identifier: BSD-2-Clause */
/* deadline.h - CPUs whose TSC-deadline timer fails with old microcode. Pure; any context. */
#ifndef ARCH_X86_PORTABLE_DEADLINE_H
#define ARCH_X86_PORTABLE_DEADLINE_H

#include "arch/x86/portable/cpuid.h"

#include <stdint.h>

/* deadline_microcode() - the first microcode revision with a working timer; 0: every revision
 * works. */
uint32_t deadline_microcode(const struct pmu_caps *caps);

#endif
