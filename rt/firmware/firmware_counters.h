/* SPDX-License-Identifier: BSD-2-Clause */
/* firmware_counters.h - the firmware's use of PMU counters, in words. */
#ifndef RT_FIRMWARE_FIRMWARE_COUNTERS_H
#define RT_FIRMWARE_FIRMWARE_COUNTERS_H

#include <stdint.h>

/* firmware_counters_tell() - has `print` print a line for those that were on at the start, and one
 * for those that it took since; nothing where there are none. Task context. */
void firmware_counters_tell(void (*print)(const char *format, ...)
				    __attribute__((format(printf, 1, 2))));

/* firmware_counters_list() - "PMC2, FIXED1"; "none". Returns `text`. */
#define FIRMWARE_LIST 256
const char *firmware_counters_list(uint64_t counters, char text[FIRMWARE_LIST]);

#endif
