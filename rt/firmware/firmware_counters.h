/* SPDX-License-Identifier: BSD-2-Clause */
/* firmware_counters.h - the firmware's use of PMU counters, in words. */
#ifndef RT_FIRMWARE_FIRMWARE_COUNTERS_H
#define RT_FIRMWARE_FIRMWARE_COUNTERS_H

#include <stdint.h>

/* firmware_counters_tell() - prints a line by `print` for counters that the firmware had on at the
 * start, and one for counters that it has taken since; none for none. Task context. */
void firmware_counters_tell(void (*print)(const char *format, ...)
				    __attribute__((format(printf, 1, 2))));

/* firmware_counters_list() - writes a list such as "PMC2, FIXED1", or "none". Returns `text`. */
#define FIRMWARE_LIST 256
const char *firmware_counters_list(uint64_t counters, char text[FIRMWARE_LIST]);

#endif
