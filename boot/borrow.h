/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * borrow.h - mode=borrow: boot services go on, and the runtime has the machine between its calls of
 * them (include/perf0/firmware.h).
 */
#ifndef BOOT_BORROW_H
#define BOOT_BORROW_H

#include "boot/efi.h"
#include "include/perf0/handoff.h"

/*
 * borrow_machine() - runs the runtime until it gives the machine back for good. `handoff` has
 * everything but memory, and `stack_top` belongs to the runtime's stack. The machine is as before
 * afterwards. Returns the result of efi_main().
 */
EFI_STATUS borrow_machine(EFI_HANDLE self, EFI_SYSTEM_TABLE *st, struct handoff *handoff,
			  void *stack_top, void (*entry)(void));

#endif
