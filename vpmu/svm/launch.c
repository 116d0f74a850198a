// SPDX-License-Identifier: BSD-2-Clause
/*
 * launch.c - late launch in place. The CPU's state becomes the guest's, and the guest continues at
 * the instruction after the call. The host gets page tables, descriptor tables and a stack of its
 * own, all inside the image. AMD APM vol. 2, "Enabling SVM", "Basic Operation".
 */
#include "vpmu/svm/launch.h"

#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "lib/string.h"
#include "vpmu/svm/config_cycles.h"
#include "vpmu/svm/count/cpu_shared.h"
#include "vpmu/svm/count/guest_clock.h"
#include "vpmu/svm/count/plugin_page.h"
#include "vpmu/svm/count/quick_exit.h"
#include "vpmu/svm/exits.h"
#include "vpmu/svm/ipi.h"
#include "vpmu/svm/msr_exit.h"
#include "vpmu/svm/nested_paging.h"
#include "vpmu/svm/port_io.h"
#include "vpmu/svm/program_cpuid.h"
#include "vpmu/svm/s3_sleep.h"
#include "vpmu/svm/secondary_cpus.h"
#include "vpmu/svm/self_check.h"
#include "vpmu/svm/stop/hpet_timer.h"
#include "vpmu/svm/vcpu/crash_dump.h"
#include "vpmu/svm/vcpu/guest_memory.h"
#include "vpmu/svm/vcpu/host_idt.h"
#include "vpmu/svm/vcpu/host_insn.h"
#include "vpmu/svm/vcpu/vcpu.h"

#define CPUID_AMD_FEATURES 0x80000001u
#define CPUID_ECX_SVM      (1u << 2)
#define VM_CR_SVMDIS       (1u << 4)

#define GUEST_ASID 1

#define PAGE_SHIFT  12
#define PAGE_BYTES  (1 << PAGE_SHIFT)
#define PTE_PRESENT (1ull << 0)
#define PTE_WRITE   (1ull << 1)
#define PTE_LARGE   (1ull << 7)
#define PML4_SHIFT  39
#define GIB_SHIFT   30
#define MIB2_SHIFT  21

#define HOST_CS         0x08
#define HOST_DS         0x10
#define REAL_MODE_SHIFT 4
#define REAL_MODE_CODE  0x9bu
#define REAL_MODE_DATA  0x93u

#define GDT_CODE 0x00af9b000000ffffull
#define GDT_DATA 0x00cf93000000ffffull

#define PAGE_ALIGNED __attribute__((aligned(PAGE_BYTES)))

extern const uint8_t __percpu_start[];

static PERCPU uint8_t host_save[PAGE_BYTES] PAGE_ALIGNED;
static uint64_t host_pml4[512] PAGE_ALIGNED, host_pdpt[512] PAGE_ALIGNED;
static uint64_t host_pd[512] PAGE_ALIGNED, events_pdpt[512] PAGE_ALIGNED;
static uint64_t host_gdt[] = {0, GDT_CODE, GDT_DATA};
static uint64_t host_idt[HOST_VECTORS][2];

/* The configuration of every CPU. */
static struct {
	const struct vpmu_uarch *uarch;
	struct vpmu_uarch shaped[2];
	bool ht_on, one_thread, ipc1, hides_hypervisor, own_clock, model_clock;
	unsigned program_level;
	unsigned cpus;
	uint64_t ticks_per_insn, overhead, tsc_hz;
	struct events_page *events;
} plan;

/*
 * Maps the first 512 GiB one to one: RAM, HPET and local APIC. Pages are large, so that
 * data_breakpoint.c can unmap one for a moment, if the host does not lie in it. Around the PERCPU
 * variables they are smaller, because each CPU has tables of its own there.
 */
static void build_page_tables(void)
{
	const uint64_t own = (uint64_t)__percpu_start >> GIB_SHIFT;

	host_pml4[0] = (uint64_t)host_pdpt | PTE_PRESENT | PTE_WRITE;
	for (uint64_t i = 0; i < 512; i++) {
		host_pdpt[i] = i << GIB_SHIFT | PTE_PRESENT | PTE_WRITE | PTE_LARGE;
		host_pd[i] =
			own << GIB_SHIFT | i << MIB2_SHIFT | PTE_PRESENT | PTE_WRITE | PTE_LARGE;
	}
	host_pdpt[own] = (uint64_t)host_pd | PTE_PRESENT | PTE_WRITE;
}

/* The firmware may have placed the plugin's page above the mapped addresses. */
static void map_events(const struct events_page *events)
{
	const uint64_t at = (uint64_t)events, own = at >> PML4_SHIFT;

	if (!own)
		return;
	host_pml4[own] = (uint64_t)events_pdpt | PTE_PRESENT | PTE_WRITE;
	events_pdpt[at >> GIB_SHIFT & 511] =
		(at >> GIB_SHIFT << GIB_SHIFT) | PTE_PRESENT | PTE_WRITE | PTE_LARGE;
}

static void build_idt(void)
{
	for (unsigned v = 0; v < HOST_FAULTS; v++)
		vpmu_set_gate(host_idt[v], vpmu_host_faults[v], HOST_CS);
	for (unsigned v = HOST_FAULTS; v < HOST_VECTORS; v++)
		vpmu_set_gate(host_idt[v], vpmu_host_interrupts[v - HOST_FAULTS], HOST_CS);
	vpmu_set_gate(host_idt[VECTOR_NMI], vpmu_host_nmi, HOST_CS);
}

/* Reads the descriptor through the guest's page tables, which may differ from the active ones. */
static struct vmcb_segment guest_segment(uint64_t gdt, uint16_t selector)
{
	uint64_t d = 0;
	uint32_t limit;
	bool pages;

	vpmu_guest_read(gdt + (selector & ~7u), &d, sizeof(d));
	limit = (uint32_t)((d & 0xffff) | (d >> 32 & 0xf0000));
	pages = d >> 55 & 1;
	return (struct vmcb_segment){
		.selector = selector,
		.attributes = (uint16_t)((d >> 40 & 0xff) | (d >> 44 & 0xf00)),
		.limit = pages ? limit << 12 | 0xfff : limit,
		.base = (d >> 16 & 0xffffff) | (d >> 32 & 0xff000000),
	};
}

static void capture_tables(struct vmcb *v)
{
	struct vpmu_tables t;

	vpmu_store_tables(&t);
	v->gdtr = (struct vmcb_segment){.limit = t.gdtr.limit, .base = t.gdtr.base};
	v->idtr = (struct vmcb_segment){.limit = t.idtr.limit, .base = t.idtr.base};
	v->es = guest_segment(t.gdtr.base, t.es);
	v->cs = guest_segment(t.gdtr.base, t.cs);
	v->ss = guest_segment(t.gdtr.base, t.ss);
	v->ds = guest_segment(t.gdtr.base, t.ds);
}

/* Controls that stay the same for every run. */
static void set_controls(struct vmcb *v)
{
	v->asid = GUEST_ASID;
	v->iopm_base = vpmu_iopm_base();
	v->msrpm_base = vpmu_msrpm_base();
	v->g_pat = rdmsr(MSR_IA32_PAT);
	if (vpmu_ipi_watched())
		vpmu_nested_init();
}

/* Captures the CPU's state, except CR3, RIP, RSP and RFLAGS, which run.S has stored. */
static void capture_guest(struct vmcb *v)
{
	v->cr0 = read_cr0();
	v->cr2 = read_cr2();
	v->cr4 = read_cr4();
	v->dr6 = read_dr6();
	v->dr7 = read_dr7();
	v->efer = rdmsr(MSR_EFER);
	capture_tables(v);
	set_controls(v);
}

static struct vmcb_segment real_mode_segment(uint16_t selector, uint16_t attributes)
{
	return (struct vmcb_segment){
		.selector = selector,
		.attributes = attributes,
		.limit = UINT16_MAX,
		.base = (uint64_t)selector << REAL_MODE_SHIFT,
	};
}

/* SDM vol. 3, "Processor State After Reset", the column of INIT: real mode, at the start of
 * `selector`. */
static void begin_guest(struct vmcb *v, uint16_t selector)
{
	v->cr0 = CR0_AT_INIT;
	v->dr6 = DR6_AT_INIT;
	v->dr7 = DR7_AT_INIT;
	v->efer = EFER_SVME;
	v->rflags = RFLAGS_FIXED;
	v->cs = real_mode_segment(selector, REAL_MODE_CODE);
	v->es = v->ss = v->ds = real_mode_segment(0, REAL_MODE_DATA);
	v->gdtr = v->idtr = (struct vmcb_segment){.limit = UINT16_MAX};
	set_controls(v);
}

static void leave_uefi(void)
{
	const struct vpmu_tables tables = {
		.gdtr = {sizeof(host_gdt) - 1, (uint64_t)host_gdt},
		.idtr = {sizeof(host_idt) - 1, (uint64_t)host_idt},
		.es = HOST_DS,
		.cs = HOST_CS,
		.ss = HOST_DS,
		.ds = HOST_DS,
	};

	vpmu_clear_gif();
	write_cr3(vpmu_cpu.host.cr3);
	vpmu_load_tables(&tables);
}

static void turn_svm_on(void)
{
	wrmsr(MSR_EFER, rdmsr(MSR_EFER) | EFER_SVME);
	wrmsr(MSR_AMD_VM_HSAVE_PA, vpmu_physical(host_save));
	vpmu_cpu.vmrun.vmcb = vpmu_physical(&vpmu_vmcb);
}

void vpmu_host_enter(void)
{
	turn_svm_on();
	capture_guest(&vpmu_vmcb);
	vpmu_cpu.switches.sce = vpmu_vmcb.efer & EFER_SCE;
	leave_uefi();
	vpmu_prepare(&vpmu_cpu);
}

static bool has_svm(void)
{
	if (!(insn_cpuid(CPUID_AMD_FEATURES, 0).ecx & CPUID_ECX_SVM))
		return false;
	return !(rdmsr(MSR_AMD_VM_CR) & VM_CR_SVMDIS);
}

static bool runs_already(void)
{
	struct cpuid_regs r = insn_cpuid(VPMU_CPUID_LEAF, VPMU_CPUID_MARK);

	return !memcmp(&r.ebx, "perf0 vpmu\0", 12);
}

/* SDM vol. 2, "CPUID", leaf 01H: logical CPUs of a package. */
static unsigned cpus_of_package(void)
{
	return insn_cpuid(1, 0).ebx >> 16 & 0xff;
}

static void init_cpu(struct vpmu_cpu *cpu)
{
	const struct vpmu_uarch *uarch = vpmu_uarch_of(plan.uarch, cpu->host.number, plan.cpus);

	cpu->vmrun.ticks_per_insn = plan.ticks_per_insn;
	cpu->switches.sysenter_cs = (uint16_t)rdmsr(MSR_IA32_SYSENTER_CS);
	cpu->switches.sysenter_is_hidden = false;
	cpu->clock.overhead = plan.overhead;
	vpmu_model_init(&cpu->model, uarch, plan.ht_on, cpu->vmrun.ticks_per_insn);
	if (plan.uarch->small && plan.cpus > 1) {
		vpmu_model_beside(&cpu->model, plan.uarch->small);
		vpmu_model_beside(&cpu->model, plan.uarch);
	}
	if (plan.one_thread)
		cpu->model.machine.threads = 1;
	cpu->model.machine.ipc1 = plan.ipc1;
	cpu->model.machine.hides_hypervisor = plan.hides_hypervisor;
	cpu->program_level = plan.program_level;
	vpmu_events_init(cpu, plan.events);
	cpu->model.machine.package = cpus_of_package();
	vpmu_quick_init(cpu);
	vpmu_timer_init(cpu);
	if (!plan.tsc_hz)
		plan.tsc_hz = vpmu_timer_tsc_hz(cpu);
	cpu->model.machine.tsc_hz = plan.tsc_hz;
	vpmu_shared_join(cpu);
}

/* Simulated faults begin after the self-check. */
static void begin_faults(struct vpmu_cpu *cpu)
{
	if (vpmu_faults.only_cpu && vpmu_faults.only_cpu != cpu->host.number + 1)
		return;
	vpmu_model_fail(&cpu->model, &vpmu_faults);
	cpu->quick.room = 0;
}

/* The personality's family, model and stepping. */
static uint32_t cpu_signature(const struct vpmu_cpu *cpu)
{
	struct cpuid_regs r = insn_cpuid(1, 0);

	vpmu_model_cpuid(&cpu->model, 1, 0, &r);
	return r.eax;
}

void vpmu_host_start(const struct vpmu_place *place)
{
	init_cpu(&vpmu_cpu);
	begin_faults(&vpmu_cpu);
	turn_svm_on();
	begin_guest(&vpmu_vmcb, (uint16_t)(place->vector << (PAGE_SHIFT - REAL_MODE_SHIFT)));
	vpmu_cpu.gpr.rdx = cpu_signature(&vpmu_cpu);
	leave_uefi();
	vpmu_prepare(&vpmu_cpu);
}

/* Resets the boot CPU's state, except for the facts found at launch. */
static void forget_cpu(struct vpmu_cpu *cpu)
{
	const bool exact = cpu->clock.exact;
	const uint64_t host_cr3 = cpu->host.cr3;
	const uint32_t apic_id = cpu->host.apic_id;

	memset(cpu, 0, sizeof(*cpu));
	cpu->clock.exact = exact;
	cpu->host.cr3 = host_cr3;
	cpu->host.apic_id = apic_id;
	init_cpu(cpu);
	cpu->events.is_checked = true;
	begin_faults(cpu);
}

static void begin_clock(struct vpmu_cpu *cpu)
{
	if (cpu->clock.exact && plan.model_clock)
		vpmu_clock_modelled(cpu);
	else if (cpu->clock.exact && plan.own_clock)
		vpmu_clock_own(cpu);
}

/* ACPI 6.5, "Firmware ACPI Control Structure": CS:IP of the waking vector. */
void vpmu_host_wake(void)
{
	const uint32_t at = vpmu_sleep_wakes_at();

	vpmu_events_place();
	forget_cpu(&vpmu_cpu);
	turn_svm_on();
	memset(&vpmu_vmcb, 0, sizeof(vpmu_vmcb));
	begin_guest(&vpmu_vmcb, (uint16_t)(at >> REAL_MODE_SHIFT));
	vpmu_vmcb.rip = at & ((1u << REAL_MODE_SHIFT) - 1);
	vpmu_vmcb.cr0 = CR0_ET;
	leave_uefi();
	begin_clock(&vpmu_cpu);
	vpmu_prepare(&vpmu_cpu);
}

static void init_boot_cpu(struct vpmu_cpu *cpu, const struct vpmu_config *config)
{
	cpu->clock.exact = config->exact;
	plan.ticks_per_insn = config->ticks_per_insn;
	plan.overhead = RUN_HOST_INSNS * plan.ticks_per_insn;
	plan.ht_on = config->ht_on;
	plan.one_thread = config->one_thread;
	plan.ipc1 = config->ipc1;
	plan.hides_hypervisor = config->hides_hypervisor;
	plan.program_level = config->program_level;
	plan.own_clock = config->own_clock;
	plan.model_clock = config->model_clock;
	plan.cpus = config->cpus;
	plan.events = config->events;
	vpmu_faults = config->faults;
	vpmu_dump_init(config);
	cpu->host.cr3 = (uint64_t)host_pml4;
	cpu->host.apic_id = vpmu_apic_id();
	init_cpu(cpu);
	vpmu_cpus_init(cpu->host.cr3, config);
	vpmu_ipi_init(config, cpu->host.cr3);
	vpmu_sleep_init(config, cpu->host.cr3);
	vpmu_msrpm_init(cpu);
	if (plan.hides_hypervisor)
		vpmu_config_cycles_init(cpu->model.uarch);
}

/* Runs as the guest. If the TSC does not count instructions, the plugin may. */
static enum vpmu_verdict check_launched(struct vpmu_cpu *cpu)
{
	if (cpu->clock.exact && !vpmu_self_check(cpu)) {
		cpu->clock.exact = false;
		cpu->quick.room = 0;
		vpmu_events_take_instructions(cpu);
	}
	if (vpmu_is_counted(cpu) && !vpmu_self_check(cpu))
		vpmu_events_lose(cpu);
	if (!cpu->clock.exact)
		cpu->clock.overhead = plan.overhead = vpmu_measure_overhead(cpu);
	cpu->events.is_checked = true;
	begin_clock(cpu);
	if (cpu->clock.exact)
		vpmu_tune_timer(cpu);
	if (cpu->clock.exact)
		return plan.events && !cpu->events.own ? VPMU_LAUNCHED_RATIOS : VPMU_LAUNCHED;
	if (vpmu_is_counted(cpu))
		return VPMU_LAUNCHED_COUNTED;
	plan.events = NULL;
	return VPMU_LAUNCHED_INEXACT;
}

enum vpmu_verdict vpmu_launch(const struct vpmu_config *config)
{
	enum vpmu_verdict verdict;

	plan.uarch = vpmu_uarch_find(config->uarch);
	if (!plan.uarch)
		return VPMU_BAD_UARCH;
	if (vpmu_uarch_shape(plan.shaped, plan.uarch, &config->shape, config->why))
		return VPMU_BAD_SHAPE;
	plan.uarch = plan.shaped;
	if (runs_already())
		return VPMU_RUNS_ALREADY;
	if (!has_svm())
		return VPMU_NO_SVM;
	if (config->program_level && !program_level_runs(config->program_level, insn_cpuid))
		return VPMU_BAD_LEVEL;
	if (!vpmu_timer_probe())
		return VPMU_NO_HPET;
	init_boot_cpu(&vpmu_cpu, config);
	build_page_tables();
	map_events(plan.events);
	build_idt();
	vpmu_enter();
	verdict = check_launched(&vpmu_cpu);
	begin_faults(&vpmu_cpu);
	return verdict;
}
