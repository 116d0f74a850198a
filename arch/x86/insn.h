/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * insn.h - the seam: the one header that emits privileged or machine instructions.
 *
 * Rules of use: every CPUID, MSR, RDPMC, RDTSC, port and control register access of the tree goes
 * through here. The host build replaces this file by tests/shim/arch/x86/insn.h, which routes
 * the same names to vpmu/model/model.c and to a clock that the test moves by hand.
 *
 * All functions may run in any context (task, IRQ, NMI) unless they say otherwise.
 */
#ifndef ARCH_X86_INSN_H
#define ARCH_X86_INSN_H

#include "include/perf0/task_mark.h"

#include <stdbool.h>
#include <stdint.h>

struct cpuid_regs {
	uint32_t eax, ebx, ecx, edx;
};

static inline struct cpuid_regs insn_cpuid(uint32_t leaf, uint32_t subleaf)
{
	struct cpuid_regs r;

	__asm__ volatile("cpuid"
			 : "=a"(r.eax), "=b"(r.ebx), "=c"(r.ecx), "=d"(r.edx)
			 : "a"(leaf), "c"(subleaf));
	return r;
}

/*
 * The instructions that return EDX:EAX clear the upper halves of both registers: SDM vol. 2,
 * "RDTSC", "RDMSR", "RDPMC". So each half is read as a whole register, which saves a move.
 */
#define INSN_EDX_EAX(instruction, ...)                                              \
	({                                                                          \
		unsigned long lo_, hi_;                                             \
		__asm__ volatile(instruction : "=a"(lo_), "=d"(hi_) : __VA_ARGS__); \
		(uint64_t) hi_ << 32 | lo_;                                         \
	})

/* rdtsc() - the time stamp counter, not serialised. SDM vol. 2 "RDTSC". */
static inline uint64_t rdtsc(void)
{
	return INSN_EDX_EAX("rdtsc");
}

static inline uint64_t rdmsr(uint32_t msr)
{
	return INSN_EDX_EAX("rdmsr", "c"(msr));
}

static inline void wrmsr(uint32_t msr, uint64_t value)
{
	__asm__ volatile("wrmsr"
			 :
			 : "c"(msr), "a"((uint32_t)value), "d"((uint32_t)(value >> 32))
			 : "memory");
}

/* rdpmc() - counter `index` as RDPMC names it (bit 30: fixed counters). SDM vol. 2 "RDPMC". */
static inline uint64_t rdpmc(uint32_t index)
{
	return INSN_EDX_EAX("rdpmc", "c"(index));
}

/*
 * The _safe forms return false, with *value = 0, where the instruction raised #GP or #UD.
 * The exception table holds pairs of (faulting instruction, where to go on), each relative to the
 * entry itself, so that it needs no relocation.
 */
#define INSN_EXTABLE(from, to)             \
	".pushsection .extable, \"a\"\n\t" \
	".balign 4\n\t"                    \
	".long " from " - .\n\t"           \
	".long " to " - .\n\t"             \
	".popsection\n\t"

static inline bool rdmsr_safe(uint32_t msr, uint64_t *value)
{
	uint32_t lo = 0, hi = 0;
	bool ok = false;

	__asm__ volatile("1: rdmsr\n\t"
			 "mov $1, %[ok]\n\t"
			 "2:\n\t" INSN_EXTABLE("1b", "2b")
			 : "+a"(lo), "+d"(hi), [ok] "+r"(ok)
			 : "c"(msr));
	*value = ok ? (uint64_t)hi << 32 | lo : 0;
	return ok;
}

static inline bool wrmsr_safe(uint32_t msr, uint64_t value)
{
	bool ok = false;

	__asm__ volatile("1: wrmsr\n\t"
			 "mov $1, %[ok]\n\t"
			 "2:\n\t" INSN_EXTABLE("1b", "2b")
			 : [ok] "+r"(ok)
			 : "c"(msr), "a"((uint32_t)value), "d"((uint32_t)(value >> 32))
			 : "memory");
	return ok;
}

static inline bool rdpmc_safe(uint32_t index, uint64_t *value)
{
	uint32_t lo = 0, hi = 0;
	bool ok = false;

	__asm__ volatile("1: rdpmc\n\t"
			 "mov $1, %[ok]\n\t"
			 "2:\n\t" INSN_EXTABLE("1b", "2b")
			 : "+a"(lo), "+d"(hi), [ok] "+r"(ok)
			 : "c"(index));
	*value = ok ? (uint64_t)hi << 32 | lo : 0;
	return ok;
}

/* mmio_read8() and its like - a device's register at an address of ring 0, in one access. */
static inline uint8_t mmio_read8(uintptr_t at)
{
	return *(const volatile uint8_t *)at;
}

static inline uint32_t mmio_read32(uintptr_t at)
{
	return *(const volatile uint32_t *)at;
}

static inline void mmio_write8(uintptr_t at, uint8_t value)
{
	*(volatile uint8_t *)at = value;
}

static inline void mmio_write32(uintptr_t at, uint32_t value)
{
	*(volatile uint32_t *)at = value;
}

static inline void outb(uint16_t port, uint8_t value)
{
	__asm__ volatile("outb %0, %1" : : "a"(value), "Nd"(port) : "memory");
}

static inline void outw(uint16_t port, uint16_t value)
{
	__asm__ volatile("outw %0, %1" : : "a"(value), "Nd"(port) : "memory");
}

static inline void outl(uint16_t port, uint32_t value)
{
	__asm__ volatile("outl %0, %1" : : "a"(value), "Nd"(port) : "memory");
}

static inline uint8_t inb(uint16_t port)
{
	uint8_t value;

	__asm__ volatile("inb %1, %0" : "=a"(value) : "Nd"(port) : "memory");
	return value;
}

static inline uint16_t inw(uint16_t port)
{
	uint16_t value;

	__asm__ volatile("inw %1, %0" : "=a"(value) : "Nd"(port) : "memory");
	return value;
}

static inline uint32_t inl(uint16_t port)
{
	uint32_t value;

	__asm__ volatile("inl %1, %0" : "=a"(value) : "Nd"(port) : "memory");
	return value;
}

#define INSN_CR(n)                                                         \
	static inline uint64_t read_cr##n(void)                            \
	{                                                                  \
		uint64_t v;                                                \
		__asm__ volatile("mov %%cr" #n ", %0" : "=r"(v));          \
		return v;                                                  \
	}                                                                  \
	static inline void write_cr##n(uint64_t v)                         \
	{                                                                  \
		__asm__ volatile("mov %0, %%cr" #n : : "r"(v) : "memory"); \
	}

INSN_CR(0)
INSN_CR(2)
INSN_CR(3)
INSN_CR(4)
INSN_CR(8)
#undef INSN_CR

#define INSN_DR(n)                                                         \
	static inline uint64_t read_dr##n(void)                            \
	{                                                                  \
		uint64_t v;                                                \
		__asm__ volatile("mov %%dr" #n ", %0" : "=r"(v));          \
		return v;                                                  \
	}                                                                  \
	static inline void write_dr##n(uint64_t v)                         \
	{                                                                  \
		__asm__ volatile("mov %0, %%dr" #n : : "r"(v) : "memory"); \
	}

INSN_DR(0)
INSN_DR(1)
INSN_DR(2)
INSN_DR(3)
INSN_DR(6)
INSN_DR(7)
#undef INSN_DR

/* insn_cs() - reads the selector CS; insn_ss(), insn_ds() and so on read the others. */
#define INSN_SELECTOR(seg)                                        \
	static inline uint32_t insn_##seg(void)                   \
	{                                                         \
		uint32_t v;                                       \
		__asm__ volatile("mov %%" #seg ", %0" : "=r"(v)); \
		return v;                                         \
	}
INSN_SELECTOR(cs)
INSN_SELECTOR(ss)
INSN_SELECTOR(ds)
INSN_SELECTOR(es)

/* insn_load_fs() - loads the selector. insn_rdfsbase(), insn_wrfsbase() - read and write the base,
 * if CR4.FSGSBASE is set (SDM vol. 2, "RDFSBASE/RDGSBASE"). The same functions exist for GS. */
#define INSN_SEGMENT(seg)                                                         \
	INSN_SELECTOR(seg)                                                        \
	static inline void insn_load_##seg(uint32_t selector)                     \
	{                                                                         \
		__asm__ volatile("mov %0, %%" #seg : : "r"(selector) : "memory"); \
	}                                                                         \
	static inline uint64_t insn_rd##seg##base(void)                           \
	{                                                                         \
		uint64_t v;                                                       \
		__asm__ volatile("rd" #seg "base %0" : "=r"(v));                  \
		return v;                                                         \
	}                                                                         \
	static inline void insn_wr##seg##base(uint64_t v)                         \
	{                                                                         \
		__asm__ volatile("wr" #seg "base %0" : : "r"(v) : "memory");      \
	}

INSN_SEGMENT(fs)
INSN_SEGMENT(gs)
#undef INSN_SEGMENT
#undef INSN_SELECTOR

static inline void invlpg(const void *addr)
{
	__asm__ volatile("invlpg (%0)" : : "r"(addr) : "memory");
}

/* The operand of LGDT and LIDT: SDM vol. 3, "Memory-Management Registers". */
struct insn_table {
	uint16_t limit; /* bytes - 1 */
	uint64_t base;
} __attribute__((packed));

static inline void insn_lgdt(const struct insn_table *table)
{
	__asm__ volatile("lgdt %0" : : "m"(*table) : "memory");
}

static inline void insn_lidt(const struct insn_table *table)
{
	__asm__ volatile("lidt %0" : : "m"(*table) : "memory");
}

static inline void insn_ltr(uint16_t selector)
{
	__asm__ volatile("ltr %0" : : "r"(selector) : "memory");
}

/* The current GDTR. */
static inline void insn_sgdt(struct insn_table *table)
{
	__asm__ volatile("sgdt %0" : "=m"(*table));
}

static inline void insn_sidt(struct insn_table *table)
{
	__asm__ volatile("sidt %0" : "=m"(*table));
}

static inline uint16_t insn_str(void)
{
	uint16_t selector;

	__asm__ volatile("str %0" : "=r"(selector));
	return selector;
}

/* insn_xgetbv(), insn_xsetbv() - while CR4.OSXSAVE is set: SDM vol. 2, "XGETBV", "XSETBV". */
static inline uint64_t insn_xgetbv(uint32_t index)
{
	uint32_t lo, hi;

	__asm__ volatile("xgetbv" : "=a"(lo), "=d"(hi) : "c"(index));
	return (uint64_t)hi << 32 | lo;
}

static inline void insn_xsetbv(uint32_t index, uint64_t value)
{
	__asm__ volatile("xsetbv"
			 :
			 : "c"(index), "a"((uint32_t)value), "d"((uint32_t)(value >> 32))
			 : "memory");
}

/* insn_fxsave(), insn_fxrstor() - at a multiple of 16. */
#define INSN_FXSAVE_BYTES 512
static inline void insn_fxsave(uint8_t area[INSN_FXSAVE_BYTES])
{
	__asm__ volatile("fxsave64 %0" : "=m"(*(uint8_t(*)[INSN_FXSAVE_BYTES])area));
}

static inline void insn_fxrstor(const uint8_t area[INSN_FXSAVE_BYTES])
{
	__asm__ volatile("fxrstor64 %0" : : "m"(*(const uint8_t(*)[INSN_FXSAVE_BYTES])area));
}

/* insn_stac(), insn_clac() - permit ring 0 to access ring 3's pages, and forbid it again. Only if
 * CR4.SMAP is set. */
static inline void insn_stac(void)
{
	__asm__ volatile("stac" : : : "memory", "cc");
}

static inline void insn_clac(void)
{
	__asm__ volatile("clac" : : : "memory", "cc");
}

/*
 * insn_mark_task() - tells a plugin of QEMU which task ring 3 goes on with
 * (include/perf0/task_mark.h). Any other machine loads a word.
 */
static inline void insn_mark_task(const struct task_mark *mark)
{
	uint64_t at = (uintptr_t)mark - TASK_MARK_OFFSET;

	__asm__ volatile("movq %c1(%0), %0" : "+r"(at) : "i"(TASK_MARK_OFFSET), "m"(*mark));
}

/* insn_mfence() - also orders a later WRMSR to the x2APIC or to the TSC deadline. */
static inline void insn_mfence(void)
{
	__asm__ volatile("mfence" : : : "memory");
}

/* insn_lfence() - later instructions, RDTSC too, execute only after all earlier ones have
 * completed. */
static inline void insn_lfence(void)
{
	__asm__ volatile("lfence" : : : "memory");
}

static inline void insn_wbinvd(void)
{
	__asm__ volatile("wbinvd" : : : "memory");
}

static inline void irq_disable(void)
{
	__asm__ volatile("cli" : : : "memory");
}

static inline void irq_enable(void)
{
	__asm__ volatile("sti" : : : "memory");
}

/* irq_save() - disables interrupts and returns the former RFLAGS. */
static inline uint64_t irq_save(void)
{
	uint64_t flags;

	__asm__ volatile("pushfq\n\tpopq %0\n\tcli" : "=r"(flags) : : "memory");
	return flags;
}

static inline void irq_restore(uint64_t flags)
{
	if (flags & (1u << 9))
		irq_enable();
}

/* irq_enable_and_halt() - enables interrupts and halts; no interrupt can arrive between the two.
 * Task context. */
static inline void irq_enable_and_halt(void)
{
	__asm__ volatile("sti\n\thlt" : : : "memory");
}

static inline void cpu_halt(void)
{
	__asm__ volatile("hlt" : : : "memory");
}

static inline void cpu_pause(void)
{
	__asm__ volatile("pause" : : : "memory");
}

#endif
