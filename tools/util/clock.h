/* SPDX-License-Identifier: BSD-2-Clause */
/* clock.h - monotonic time, in ms from an arbitrary moment. */
#ifndef TOOLS_UTIL_CLOCK_H
#define TOOLS_UTIL_CLOCK_H

#include <stdint.h>

uint64_t clock_now_ms(void);

#endif
