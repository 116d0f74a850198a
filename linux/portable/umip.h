/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * umip.h - the instructions that User-Mode Instruction Prevention takes from ring 3 (SDM vol. 3,
 * "CR4.UMIP"): SGDT, SIDT, SLDT, STR, SMSW. Programs that execute them all the same get values that
 * tell nothing, the ones that Linux gives. Pure.
 */
#ifndef LINUX_PORTABLE_UMIP_H
#define LINUX_PORTABLE_UMIP_H

#include "arch/x86/cpu/trap_frame.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define UMIP_MOST 10 /* bytes that SGDT stores */

/* The effect of the instruction. */
struct umip_store {
	uint8_t length;           /* of the instruction */
	uint8_t bytes;            /* into memory */
	uint64_t address;         /* ... there */
	uint8_t value[UMIP_MOST]; /* ... or in the register, the lower bytes */
	uint64_t *reg;            /* NULL: into memory. Of `bytes` below 4 the rest stays */
};

/*
 * umip_decode() - the instruction at the start of the `n` bytes of `code`, with the registers
 * `regs`, which are those of ring 3. False: it is none of them, or not whole.
 */
bool umip_decode(const uint8_t *code, size_t n, struct trap_frame *regs, struct umip_store *store);

#endif
