/* SPDX-License-Identifier: BSD-2-Clause */
/* own_uarch.h - the microarchitecture of the CPU that runs the tool. */
#ifndef TOOLS_EVENTS_OWN_UARCH_H
#define TOOLS_EVENTS_OWN_UARCH_H

#include "tools/events/guest_uarch.h"

/* uarch_of_host() - returns it by CPUID; of an unknown CPU it is its vendor's general one. */
struct guest_uarch uarch_of_host(void);

#endif
