/* SPDX-License-Identifier: BSD-2-Clause */
/* smbios.h - the firmware's names for this machine (arch/x86/portable/smbios_table.h). */
#ifndef ARCH_X86_DEV_SMBIOS_H
#define ARCH_X86_DEV_SMBIOS_H

#include "arch/x86/portable/smbios_table.h"

/*
 * smbios_init() - reads the names by the entry point at the physical address `entry`; if `entry` is
 * 0 or invalid, all names are "". Task context, once, after paging_init().
 */
void smbios_init(uint64_t entry);

/* smbios_names() - never NULL. Any context. */
const struct smbios *smbios_names(void);

#endif
