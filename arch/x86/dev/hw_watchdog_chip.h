/* SPDX-License-Identifier: BSD-2-Clause */
/* hw_watchdog_chip.h - what a chipset's watchdog does for hw_watchdog.c. */
#ifndef ARCH_X86_DEV_HW_WATCHDOG_CHIP_H
#define ARCH_X86_DEV_HW_WATCHDOG_CHIP_H

#include <stdbool.h>

/* find() - looks for the chip, and changes nothing. -ENODEV: it is not there; -EIO with the reason:
 * it cannot be used. start() - false, with the reason. */
struct hw_watchdog_chip {
	const char *name;
	int (*find)(const char **reason);
	bool (*start)(unsigned seconds, const char **reason);
	void (*feed)(void);
	void (*stop)(void);
};

extern const struct hw_watchdog_chip hw_watchdog_tco, hw_watchdog_sp5100;

#define HW_WATCHDOG_IS_FIRMWARE "the firmware's own watchdog runs, and is left to it"

#endif
