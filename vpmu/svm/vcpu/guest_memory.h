/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * guest_memory.h - the guest's registers by number, its mode, and its memory through its own page
 * tables. `va` is a linear address. An address is mapped only where the host maps it, too.
 */
#ifndef VPMU_SVM_VCPU_GUEST_MEMORY_H
#define VPMU_SVM_VCPU_GUEST_MEMORY_H

#include "vpmu/model/model.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct vpmu_cpu;

/* vpmu_guest_register() - the register that instructions encode as `n`, 0 (RAX) to 15 (R15). */
uint64_t *vpmu_guest_register(struct vpmu_cpu *cpu, unsigned n);

/* The guest's mode, ring and code address, as the VMCB has them now. */
bool vpmu_guest_long_mode(void);
bool vpmu_guest_64bit(void);
enum vpmu_ring vpmu_guest_ring(void);
uint64_t vpmu_guest_linear_rip(void);

/*
 * vpmu_guest_translate() - finds the physical address of `va`, and log2 of its page's size.
 * vpmu_guest_physical() - finds the physical address alone.
 * False: `va` is not mapped. Both ignore permissions, and accessed and dirty bits.
 */
bool vpmu_guest_translate(uint64_t va, uint64_t *pa, uint8_t *page_shift);
bool vpmu_guest_physical(uint64_t va, uint64_t *pa);

/*
 * vpmu_guest_read() - copies up to `n` bytes; returns how many were mapped.
 * vpmu_guest_code() - the same from RIP on.
 * vpmu_guest_read_whole(), vpmu_guest_write() - false: a byte is not mapped. The bytes before it
 * are copied.
 */
size_t vpmu_guest_read(uint64_t va, void *buf, size_t n);
size_t vpmu_guest_code(uint8_t *buf, size_t n);
bool vpmu_guest_read_whole(uint64_t va, void *buf, size_t n);
bool vpmu_guest_write(uint64_t va, const void *buf, size_t n);

/* vpmu_physical_read(), vpmu_physical_write() - false, and nothing copied, unless all is mapped. */
bool vpmu_physical_read(uint64_t pa, void *buf, size_t n);
bool vpmu_physical_write(uint64_t pa, const void *buf, size_t n);

#endif
