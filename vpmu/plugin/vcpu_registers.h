/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * vcpu_registers.h - registers and memory of a vCPU, by QEMU's internal functions. They are valid
 * in a callback of a block's first instruction alone: later ones find registers where QEMU's
 * translation keeps them.
 */
#ifndef VPMU_PLUGIN_VCPU_REGISTERS_H
#define VPMU_PLUGIN_VCPU_REGISTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* By QEMU's numbers, which are gdb's. */
enum vcpu_register { VCPU_RAX, VCPU_RBX, VCPU_RCX, VCPU_RDX };

/* registers_known() - whether this QEMU exports the functions. */
bool registers_known(void);

/* register_read() - the register, in 64-bit code. register_write() - sets it. */
uint64_t register_read(unsigned vcpu, enum vcpu_register number);
void register_write(unsigned vcpu, enum vcpu_register number, uint64_t value);

/* memory_read() - copies `bytes` at `va` of the running task; false: they are not present. */
bool memory_read(unsigned vcpu, uint64_t va, void *to, size_t bytes);

#endif
