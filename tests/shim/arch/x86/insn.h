/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * insn.h for the host build: the functions of arch/x86/insn.h use vpmu/model/model.c, and a clock
 * that the test moves. tests/shim/shim_machine.c implements them; tests/shim/ports.h has the ports.
 */
#ifndef ARCH_X86_INSN_H
#define ARCH_X86_INSN_H

#include <stdbool.h>
#include <stdint.h>

#include "tests/shim/shake.h"

struct cpuid_regs {
	uint32_t eax, ebx, ecx, edx;
};

struct cpuid_regs insn_cpuid(uint32_t leaf, uint32_t subleaf);
uint64_t rdtsc(void);
uint64_t rdmsr(uint32_t msr);
void wrmsr(uint32_t msr, uint64_t value);
uint64_t rdpmc(uint32_t index);
bool rdmsr_safe(uint32_t msr, uint64_t *value);
bool wrmsr_safe(uint32_t msr, uint64_t value);
bool rdpmc_safe(uint32_t index, uint64_t *value);

uint8_t inb(uint16_t port);
void outb(uint16_t port, uint8_t value);
uint16_t inw(uint16_t port);
void outw(uint16_t port, uint16_t value);
uint32_t inl(uint16_t port);
void outl(uint16_t port, uint32_t value);
uint8_t mmio_read8(uintptr_t at);
uint32_t mmio_read32(uintptr_t at);
void mmio_write8(uintptr_t at, uint8_t value);
void mmio_write32(uintptr_t at, uint32_t value);

#define SHIM_DR(n)                 \
	uint64_t read_dr##n(void); \
	void write_dr##n(uint64_t v);
SHIM_DR(0)
SHIM_DR(1)
SHIM_DR(2)
SHIM_DR(3)
SHIM_DR(6)
SHIM_DR(7)
#undef SHIM_DR

/* A test sets CR3. Page tables have four levels. */
extern uint64_t shim_cr3;

static inline uint64_t read_cr3(void)
{
	return shim_cr3;
}

static inline void write_cr3(uint64_t value)
{
	shim_cr3 = value;
}

static inline uint64_t read_cr4(void)
{
	return 0;
}

static inline void irq_disable(void)
{
}

static inline void irq_enable(void)
{
	shake();
}

static inline uint64_t irq_save(void)
{
	shake();
	return 0;
}

static inline void irq_restore(uint64_t flags)
{
	(void)flags;
	shake();
}

static inline void cpu_pause(void)
{
}

struct task_mark;

static inline void insn_mark_task(const struct task_mark *mark)
{
	(void)mark;
}

#endif
