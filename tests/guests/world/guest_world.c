// SPDX-License-Identifier: BSD-2-Clause
/* guest_world.c - the world's tables, and its handlers. */
#include "tests/guests/world/guest_world.h"

#include "arch/x86/dev/apic.h"
#include "arch/x86/insn.h"
#include "arch/x86/msr.h"

#include <stddef.h>

#define PAGE         4096
#define ENTRIES      512
#define GIB          (1ull << 30)
#define LARGE_PAGE   (2ull << 20)
#define PAGE_USER    7ull /* present, writable, ring 3 */
#define PAGE_LARGE   (1ull << 7)
#define SMALL_GIBS   4 /* are mapped by pages of 2 MiB */
#define EDX_1GB      (1u << 26)
#define CR4_SMEP_BIT (1ull << 20)
#define CR4_SMAP_BIT (1ull << 21)
#define CR4_PCID_BIT (1ull << 17)

#define STUB_BYTES    16
#define GATE          0x8eull
#define GATE_RING3    0xeeull
#define VECTORS       256
#define VECTOR_NMI    2
#define RETURN_VECTOR 0x80
#define APIC_PAGE     0xfee00000ull
#define PRIORITY      0xe0 /* nothing of the firmware's interrupts */

struct task_state {
	uint32_t unused;
	uint64_t rsp0;
	uint8_t more[92];
} __attribute__((packed));

extern const uint8_t world_stubs[];
extern const uint8_t world_ended[];
extern const int32_t __extable_start[], __extable_end[];
uint64_t world_call(uint64_t *kept_rsp, void (*code)(void));
uint64_t world_call_ring3(uint64_t *kept_rsp, void (*code)(uint64_t), uint64_t argument,
			  uint64_t stack);
void world_load_code_selector(uint64_t selector);
void world_trap(struct world_trap *trap);

static uint64_t pml5[ENTRIES] __attribute__((aligned(PAGE)));
static uint64_t pml4[ENTRIES] __attribute__((aligned(PAGE)));
static uint64_t pdpt[ENTRIES] __attribute__((aligned(PAGE)));
static uint64_t pd[SMALL_GIBS * ENTRIES] __attribute__((aligned(PAGE)));
uint64_t world_idt[VECTORS][2];
uint64_t world_gdt[WORLD_SELECTORS] = {
	[WORLD_CODE / 8] = 0x00af9b000000ffff,      [WORLD_DATA / 8] = 0x00cf93000000ffff,
	[WORLD_USER_32 / 8] = 0x00cffb000000ffff,   [WORLD_USER_DATA / 8] = 0x00cff3000000ffff,
	[WORLD_USER_CODE / 8] = 0x00affb000000ffff, [WORLD_USER_CODE / 8 + 1] = 0x00cff3000000ffff,
	[WORLD_CODE_32 / 8] = 0x00cf9b000000ffff,   [WORLD_CODE_16 / 8] = 0x00009b000000ffff,
	[WORLD_DATA_16 / 8] = 0x000093000000ffff,
};
static struct task_state task;
static uint8_t trap_stack[8192] __attribute__((aligned(16)));
static uint8_t user_stack[8192] __attribute__((aligned(16)));

static uint64_t section_rsp, ring3_rsp; /* of what a trap ends; 0: nothing */

volatile unsigned world_interrupts, world_nmis;
volatile uint64_t world_interrupted_at;
void (*volatile world_on_interrupt)(void);
bool (*volatile world_on_trap)(struct world_trap *trap);
volatile unsigned world_vector;
volatile uint64_t world_error;

static struct firmware {
	struct insn_table gdtr, idtr;
	uint64_t cr3, cr4, flags;
	uint32_t cs, ss, ds, es;
	uint32_t lvt_pc, lvt_timer, lvt_lint0, tpr;
} firmware;

/* --- The APIC, in either mode --- */

static bool is_x2apic(void)
{
	return rdmsr(MSR_IA32_APIC_BASE) & APIC_BASE_EXTD;
}

uint32_t world_apic_read(uint32_t offset)
{
	if (is_x2apic())
		return (uint32_t)rdmsr(MSR_X2APIC_BASE + offset / 16);
	return *(volatile uint32_t *)(APIC_PAGE + offset);
}

void world_apic_write(uint32_t offset, uint32_t value)
{
	if (is_x2apic())
		wrmsr(MSR_X2APIC_BASE + offset / 16, value);
	else
		*(volatile uint32_t *)(APIC_PAGE + offset) = value;
}

/* --- Tables --- */

static void make_pages(void)
{
	const bool has_1gb = insn_cpuid(0x80000001, 0).edx & EDX_1GB;

	pml5[0] = (uint64_t)pml4 | PAGE_USER;
	pml4[0] = (uint64_t)pdpt | PAGE_USER;
	for (unsigned i = 0; i < SMALL_GIBS * ENTRIES; i++)
		pd[i] = i * LARGE_PAGE | PAGE_LARGE | PAGE_USER;
	for (unsigned i = 0; i < ENTRIES; i++) {
		if (i < SMALL_GIBS)
			pdpt[i] = (uint64_t)&pd[i * ENTRIES] | PAGE_USER;
		else if (has_1gb)
			pdpt[i] = i * GIB | PAGE_LARGE | PAGE_USER;
	}
}

static void make_gates(void)
{
	for (unsigned i = 0; i < VECTORS; i++) {
		const uint64_t to = (uint64_t)world_stubs + i * STUB_BYTES;
		const uint64_t type = i == RETURN_VECTOR ? GATE_RING3 : GATE;

		world_idt[i][0] =
			(to & 0xffff) | WORLD_CODE << 16 | type << 40 | (to >> 16 & 0xffff) << 48;
		world_idt[i][1] = to >> 32;
	}
}

static void make_task(void)
{
	const uint64_t base = (uint64_t)&task, limit = sizeof(task) - 1;

	task.rsp0 = (uint64_t)trap_stack + sizeof(trap_stack);
	world_gdt[WORLD_TASK / 8] =
		limit | (base & 0xffffff) << 16 | 0x89ull << 40 | (base >> 24 & 0xff) << 56;
	world_gdt[WORLD_TASK / 8 + 1] = base >> 32;
}

static void load_data_selectors(uint32_t ss, uint32_t ds, uint32_t es)
{
	__asm__ volatile("mov %0, %%ss" : : "r"(ss));
	__asm__ volatile("mov %0, %%ds" : : "r"(ds));
	__asm__ volatile("mov %0, %%es" : : "r"(es));
}

static void enter(void)
{
	struct firmware *f = &firmware;
	const struct insn_table gdtr = {sizeof(world_gdt) - 1, (uint64_t)world_gdt},
				idtr = {sizeof(world_idt) - 1, (uint64_t)world_idt};

	make_pages();
	make_gates();
	make_task();
	f->flags = irq_save();
	insn_sgdt(&f->gdtr);
	insn_sidt(&f->idtr);
	f->cr3 = read_cr3();
	f->cr4 = read_cr4();
	f->cs = insn_cs();
	f->ss = insn_ss();
	f->ds = insn_ds();
	f->es = insn_es();
	write_cr4(f->cr4 & ~(CR4_SMEP_BIT | CR4_SMAP_BIT | CR4_PCID_BIT | CR4_PCE));
	write_cr3((uint64_t)(f->cr4 & CR4_LA57 ? pml5 : pml4));
	insn_lgdt(&gdtr);
	insn_lidt(&idtr);
	world_load_code_selector(WORLD_CODE);
	load_data_selectors(WORLD_DATA, WORLD_DATA, WORLD_DATA);
	insn_ltr(WORLD_TASK);
	f->lvt_pc = world_apic_read(APIC_LVT_PC);
	f->lvt_timer = world_apic_read(APIC_LVT_TIMER);
	f->lvt_lint0 = world_apic_read(APIC_LVT_LINT0);
	f->tpr = world_apic_read(APIC_TPR);
	world_apic_write(APIC_LVT_TIMER, f->lvt_timer | APIC_LVT_MASKED);
	world_apic_write(APIC_LVT_LINT0, f->lvt_lint0 | APIC_LVT_MASKED);
	world_apic_write(APIC_TPR, PRIORITY);
}

static void restore_firmware(void)
{
	const struct firmware *f = &firmware;

	irq_disable();
	world_apic_write(APIC_LVT_PC, f->lvt_pc);
	world_apic_write(APIC_LVT_TIMER, f->lvt_timer);
	world_apic_write(APIC_LVT_LINT0, f->lvt_lint0);
	world_apic_write(APIC_TPR, f->tpr);
	world_gdt[WORLD_TASK / 8] &= ~(2ull << 40); /* not busy: LTR takes it again */
	insn_lgdt(&f->gdtr);
	insn_lidt(&f->idtr);
	world_load_code_selector(f->cs);
	load_data_selectors(f->ss, f->ds, f->es);
	write_cr3(f->cr3);
	write_cr4(f->cr4);
	irq_restore(f->flags);
}

/* --- Traps --- */

static bool is_expected(struct world_trap *trap)
{
	for (const int32_t *row = __extable_start; row < __extable_end; row += 2)
		if ((uint64_t)&row[0] + (uint64_t)row[0] == trap->rip) {
			trap->rip = (uint64_t)&row[1] + (uint64_t)row[1];
			world_vector = (unsigned)trap->vector;
			world_error = trap->error;
			return true;
		}
	return false;
}

/* The caller of world_call() or world_call_ring3() goes on, in ring 0. */
static void end_call(struct world_trap *trap, uint64_t *rsp, uint64_t result)
{
	trap->rax = result;
	trap->rip = (uint64_t)world_ended;
	trap->cs = WORLD_CODE;
	trap->ss = WORLD_DATA;
	trap->rsp = *rsp;
	trap->rflags = 2;
	*rsp = 0;
}

static void take_interrupt(const struct world_trap *trap)
{
	if (trap->vector == VECTOR_NMI)
		world_nmis++;
	else
		world_interrupts++;
	world_interrupted_at = trap->rip;
	if (world_on_interrupt)
		world_on_interrupt();
	if (trap->vector != VECTOR_NMI)
		world_apic_write(APIC_EOI, 0);
}

void world_trap(struct world_trap *trap)
{
	if (world_on_trap && world_on_trap(trap))
		return;
	if (trap->vector == VECTOR_NMI || trap->vector == WORLD_VECTOR) {
		take_interrupt(trap);
	} else if (ring3_rsp && trap->cs & 3) {
		end_call(trap, &ring3_rsp,
			 trap->vector == RETURN_VECTOR ? WORLD_RETURNED : trap->vector);
	} else if (!is_expected(trap)) {
		world_unexpected(trap);
		ring3_rsp = 0;
		end_call(trap, &section_rsp, 1);
	}
}

unsigned world_in_ring3(void (*code)(uint64_t argument), uint64_t argument)
{
	return (unsigned)world_call_ring3(&ring3_rsp, code, argument,
					  (uint64_t)user_stack + sizeof(user_stack));
}

bool world_run(void (*section)(void), void (*behind)(void))
{
	bool completed;

	enter();
	completed = !world_call(&section_rsp, section);
	world_on_interrupt = NULL;
	world_on_trap = NULL;
	completed &= !world_call(&section_rsp, behind);
	section_rsp = 0;
	restore_firmware();
	return completed;
}
