/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * umip.h - the instructions that User-Mode Instruction Prevention takes from ring 3 (SDM vol. 3,
 * "CR4.UMIP"): SGDT, SIDT, SLDT, STR, SMSW. A program that executes one gets a constant value, the
 * same as on Linux, that reveals nothing of the machine. Pure.
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
	uint8_t bytes;            /* number of bytes to store */
	uint64_t address;         /* destination in memory */
	uint8_t value[UMIP_MOST]; /* the bytes to store, lowest first */
	uint64_t *reg; /* destination register, of which a store of 2 bytes keeps the rest; NULL:
			  memory */
};

/*
 * umip_decode() - decodes the instruction at `code`, of which `n` bytes are readable. `regs` are
 * the registers of ring 3. False: it is none of these instructions, or incomplete.
 */
bool umip_decode(const uint8_t *code, size_t n, struct trap_frame *regs, struct umip_store *store);

#endif
