/* SPDX-License-Identifier: BSD-2-Clause */
/* single_blocks.h - makes QEMU translate blocks of one instruction each, and leaves a block before
 * it runs. QEMU's internal functions do both. */
#ifndef VPMU_PLUGIN_SINGLE_BLOCKS_H
#define VPMU_PLUGIN_SINGLE_BLOCKS_H

#include <stdbool.h>
#include <stdint.h>

/* single_can() - whether this QEMU exports what the other functions call. */
bool single_can(void);

/* single_make() - from the next block that QEMU looks up on, blocks have one instruction, as long
 * as anyone wants that. `*wants`: whether the caller does so far. Any thread. */
void single_make(bool *wants, bool on);

/* single_is_on() - whether anyone wants such blocks. */
bool single_is_on(void);

/*
 * single_leave_block() - leaves the block whose first instruction's callback runs, and has the
 * return address: nothing of the block happens. QEMU goes on with a looked-up block at the same
 * place.
 */
_Noreturn void single_leave_block(unsigned vcpu, uintptr_t return_address);

#endif
