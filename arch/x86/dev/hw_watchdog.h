/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hw_watchdog.h - the timer of the chipset that resets the machine: Intel's TCO, AMD's SP5100. It
 * needs no CPU, so it ends what hangs with interrupts off.
 *
 * A timer that runs when the image looks is the firmware's, and is left as it is. One that the
 * image starts is stopped by it, and all that was written to start it has its former value again.
 */
#ifndef ARCH_X86_DEV_HW_WATCHDOG_H
#define ARCH_X86_DEV_HW_WATCHDOG_H

#include <stdbool.h>

/*
 * hw_watchdog_name() - "tco", "sp5100", or "none": there is none that the image can use.
 * hw_watchdog_reason() - why there is none, as a sentence without a full stop; "": there is one.
 * The first call looks for it. Task context on the boot CPU.
 */
const char *hw_watchdog_name(void);
const char *hw_watchdog_reason(void);

/*
 * hw_watchdog_start() - from now on the machine is reset unless hw_watchdog_feed() is called every
 * `seconds`, 4 to 600. It may take one step of the timer longer. False: there is none, and
 * hw_watchdog_reason() tells why. Task context on the boot CPU.
 *
 * hw_watchdog_stop() - also where it was not started. Any context, also NMI; on a CPU that panics.
 */
#define HW_WATCHDOG_SECONDS_LEAST 4
#define HW_WATCHDOG_SECONDS_MOST  600
bool hw_watchdog_start(unsigned seconds);
void hw_watchdog_feed(void);
void hw_watchdog_stop(void);

#endif
