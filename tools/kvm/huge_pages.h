/* SPDX-License-Identifier: BSD-2-Clause */
/* huge_pages.h - whether a machine's memory can have pages of 2 MiB. */
#ifndef TOOLS_KVM_HUGE_PAGES_H
#define TOOLS_KVM_HUGE_PAGES_H

#include <stdbool.h>

/* huge_pages_free() - the host's free pages of 2 MiB; 0: none, or not told. */
unsigned long huge_pages_free(void);

/* huge_pages_fit() - whether `mib` MiB fit into them. */
bool huge_pages_fit(unsigned mib);

#endif
