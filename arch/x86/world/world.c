// SPDX-License-Identifier: BSD-2-Clause
/*
 * world.c - see world.h. SDM vol. 3, "Task Management in 64-bit Mode" lists the state that a turn
 * exchanges by hand.
 *
 * A struct world is a world that waits. Its own code saves the state other than the stack before
 * the jump, and restores it after the jump, in the same call.
 */
#include "arch/x86/world/world.h"

#include "arch/x86/insn.h"
#include "arch/x86/mem/paging.h"
#include "arch/x86/msr.h"
#include "arch/x86/portable/cpuid.h"
#include "arch/x86/vector.h"
#include "arch/x86/world/world_layout.h"
#include "lib/panic.h"

#include <linux/errno.h>
#include <stddef.h>

#define NMSRS             8
#define DEVICES_MOST      8
#define FIRST_STACK_WORDS 32
#define KEPT              6 /* registers that world_jump() pushes, beside RFLAGS */

/* SDM vol. 3, "TSS Descriptor in 64-bit mode". */
#define TSS_DESCRIPTOR_BYTES 16
#define TSS_TYPE_BYTE        5
#define TSS_PRESENT          0x89
#define TSS_BUSY             0x02

struct world {
	uint64_t rsp, cr0, cr3, cr4;
	struct insn_table gdt, idt;
	uint16_t cs, ss, ds, es, fs, gs, tr;
	uint64_t efer, dr7, xcr0;
	uint64_t msr[NMSRS];
	uint8_t fpu[INSN_FXSAVE_BYTES] __attribute__((aligned(16)));
};
_Static_assert(offsetof(struct world, rsp) == WORLD_RSP, "jump.S");
_Static_assert(offsetof(struct world, cr0) == WORLD_CR0, "jump.S");
_Static_assert(offsetof(struct world, cr3) == WORLD_CR3, "jump.S");
_Static_assert(offsetof(struct world, cr4) == WORLD_CR4, "jump.S");
_Static_assert(offsetof(struct world, gdt) == WORLD_GDT, "jump.S");
_Static_assert(offsetof(struct world, idt) == WORLD_IDT, "jump.S");
_Static_assert(offsetof(struct world, cs) == WORLD_CS, "jump.S");
_Static_assert(offsetof(struct world, ss) == WORLD_SS, "jump.S");
_Static_assert(offsetof(struct world, ds) == WORLD_DS, "jump.S");
_Static_assert(offsetof(struct world, es) == WORLD_ES, "jump.S");
_Static_assert(offsetof(struct world, fs) == WORLD_FS, "jump.S");
_Static_assert(offsetof(struct world, gs) == WORLD_GS, "jump.S");
_Static_assert(offsetof(struct world, tr) == WORLD_TR, "jump.S");

/* MSRs that the runtime writes, and that the firmware, or a hypervisor below it, may use. */
static const uint32_t msrs[NMSRS] = {
	MSR_IA32_PAT, MSR_STAR,    MSR_LSTAR,   MSR_CSTAR,
	MSR_SFMASK,   MSR_FS_BASE, MSR_GS_BASE, MSR_KERNEL_GS_BASE,
};

/* A CPU that both worlds use. */
struct world_cpu {
	struct world firmware, runtime;
	void (*entry)(void);
	uint64_t first_stack[FIRST_STACK_WORDS];
};

static struct world_cpu boot_cpu;
static struct firmware_call *asked;
static bool lent, comes_back;
static const struct world_device *devices[DEVICES_MOST];
static unsigned ndevices;

/* jump.S */
void world_jump(struct world *from, const struct world *to);

static bool has_xsave(void)
{
	return cpuid_fact(CPUID_FACT(1, 0, ECX, 26, 26));
}

/* XCR0 can be accessed only while CR4.OSXSAVE is set. */
static uint64_t read_xcr0(void)
{
	const uint64_t cr4 = read_cr4();
	uint64_t value;

	write_cr4(cr4 | CR4_OSXSAVE);
	value = insn_xgetbv(0);
	write_cr4(cr4);
	return value;
}

static void write_xcr0(uint64_t value)
{
	const uint64_t cr4 = read_cr4();

	write_cr4(cr4 | CR4_OSXSAVE);
	insn_xsetbv(0, value);
	write_cr4(cr4);
}

static void note_cpu_state(struct world *w)
{
	w->cr0 = read_cr0();
	w->cr4 = read_cr4();
	insn_sgdt(&w->gdt);
	insn_sidt(&w->idt);
	w->cs = (uint16_t)insn_cs();
	w->ss = (uint16_t)insn_ss();
	w->ds = (uint16_t)insn_ds();
	w->es = (uint16_t)insn_es();
	w->fs = (uint16_t)insn_fs();
	w->gs = (uint16_t)insn_gs();
	w->efer = rdmsr(MSR_EFER);
	w->dr7 = read_dr7();
	w->xcr0 = has_xsave() ? read_xcr0() : 0;
	for (unsigned i = 0; i < NMSRS; i++)
		w->msr[i] = rdmsr(msrs[i]);
	insn_fxsave(w->fpu);
}

/* SDM vol. 3, "Programming the PAT": caches are flushed around the change. */
static void put_back_msrs(const struct world *w)
{
	const bool types_change = rdmsr(MSR_IA32_PAT) != w->msr[0];

	if (types_change)
		insn_wbinvd();
	for (unsigned i = 0; i < NMSRS; i++)
		wrmsr(msrs[i], w->msr[i]);
	if (types_change) {
		insn_wbinvd();
		write_cr3(read_cr3());
	}
}

static void put_cpu_back(const struct world *w)
{
	wrmsr(MSR_EFER, w->efer);
	put_back_msrs(w);
	if (has_xsave())
		write_xcr0(w->xcr0);
	write_dr7(w->dr7);
	insn_fxrstor(w->fpu);
}

/* SMEP and SMAP are off because the firmware does not know ring 3's pages. NX is on because the
 * runtime's tables use it. */
static void switch_worlds(struct world *from, const struct world *to)
{
	note_cpu_state(from);
	wrmsr(MSR_EFER, from->efer | EFER_NXE);
	write_cr4(from->cr4 & ~(CR4_SMEP | CR4_SMAP));
	world_jump(from, to);
	put_cpu_back(from);
}

/*
 * The task register, if LTR accepts it. Firmware without one keeps the runtime's from the first
 * turn on, or from an earlier start of the image, for 0 cannot be loaded. The firmware does not use
 * it or take it for its own, because SEL_TSS lies beyond its GDT.
 */
static uint16_t loadable_tr(const struct insn_table *gdt)
{
	const uint16_t tr = insn_str();
	const uint8_t *descriptor = (const uint8_t *)gdt->base + tr;

	if (!tr || tr + TSS_DESCRIPTOR_BYTES - 1 > gdt->limit)
		return 0;
	return (descriptor[TSS_TYPE_BYTE] & ~TSS_BUSY) == TSS_PRESENT ? tr : 0;
}

/* Starts the runtime at `entry`, with the CPU as it is. */
static void lend_cpu(struct world_cpu *cpu, void (*entry)(void), uint64_t stack_top)
{
	uint64_t *sp = (uint64_t *)stack_top;

	*--sp = 0; /* entry() has no caller */
	*--sp = (uintptr_t)entry;
	for (int i = 0; i < KEPT; i++)
		*--sp = 0;
	*--sp = RFLAGS_RESERVED;
	note_cpu_state(&cpu->runtime);
	cpu->runtime.cr3 = read_cr3();
	cpu->runtime.rsp = (uintptr_t)sp;
	cpu->firmware.tr = loadable_tr(&cpu->runtime.gdt);
	switch_worlds(&cpu->firmware, &cpu->runtime);
}

struct firmware_call *world_lend(void (*entry)(void), uint64_t stack_top)
{
	lend_cpu(&boot_cpu, entry, stack_top);
	return asked;
}

struct firmware_call *world_go_on(void)
{
	switch_worlds(&boot_cpu.firmware, &boot_cpu.runtime);
	return asked;
}

void world_init(uint64_t root)
{
	lent = root;
	if (!lent)
		return;
	boot_cpu.firmware.efer |= EFER_NXE;
	boot_cpu.firmware.cr3 = paging_bridge(root);
	if (!boot_cpu.firmware.cr3)
		panic("no memory for page tables");
}

bool world_is_lent(void)
{
	return lent;
}

void world_comes_back(void)
{
	comes_back = true;
}

bool world_is_given_back(void)
{
	return lent || comes_back;
}

void world_lend_device(const struct world_device *device)
{
	ASSERT(ndevices < DEVICES_MOST);
	if (world_is_given_back())
		devices[ndevices++] = device;
}

void world_give_devices(void)
{
	while (ndevices)
		devices[--ndevices]->give();
}

static void give_cpu_back(struct world_cpu *cpu)
{
	cpu->runtime.cr3 = read_cr3();
	cpu->runtime.tr = insn_str();
	switch_worlds(&cpu->runtime, &cpu->firmware);
}

int world_call(struct firmware_call *call)
{
	const uint64_t flags = irq_save();

	ASSERT(lent);
	asked = call;
	for (unsigned i = ndevices; i--;)
		devices[i]->give();
	give_cpu_back(&boot_cpu);
	for (unsigned i = 0; i < ndevices; i++)
		devices[i]->take();
	irq_restore(flags);
	return call->result;
}

/* --- Other CPUs --- */

/* Runs on the CPU, called by the firmware's side; returns when the CPU is given back. */
static void begin_lent_cpu(struct world_cpu *cpu)
{
	cpu->firmware.cr3 = read_cr3();
	lend_cpu(cpu, cpu->entry, (uintptr_t)(cpu->first_stack + FIRST_STACK_WORDS));
}

int world_start_cpu(uint32_t apic_id, void (*entry)(void), struct world_cpu **cpu)
{
	static struct firmware_call call;

	*cpu = page_alloc(pages_of(sizeof(**cpu)));
	if (!*cpu)
		return -ENOMEM;
	(*cpu)->entry = entry;
	call = (struct firmware_call){
		.service = FIRMWARE_CPU,
		.cpu = {.apic_id = apic_id,
			.root = boot_cpu.firmware.cr3,
			.entry = (uintptr_t)begin_lent_cpu,
			.arg = (uintptr_t)*cpu},
	};
	return world_call(&call);
}

_Noreturn void world_return_cpu(struct world_cpu *cpu)
{
	give_cpu_back(cpu);
	__builtin_unreachable();
}
