// SPDX-License-Identifier: BSD-2-Clause
/*
 * msr_exit.c - emulates the MSRs that exit: those of the PMU and the platform, by their models;
 * EFER, whose real SVME must stay set and whose real SCE may be off; SYSENTER's selector, whose
 * real value may be 0; and the two of SVM, which the personality lacks. AMD APM vol. 2, "MSR
 * Intercepts".
 */
#include "vpmu/svm/msr_exit.h"

#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "vpmu/svm/count/cpu_shared.h"
#include "vpmu/svm/count/quick_exit.h"
#include "vpmu/svm/emulate.h"
#include "vpmu/svm/ipi.h"
#include "vpmu/svm/stop/extended_apic.h"
#include "vpmu/svm/stop/hpet_timer.h"
#include "vpmu/svm/vcpu/event_inject.h"
#include "vpmu/svm/vcpu/guest_insn.h"
#include "vpmu/svm/vcpu/vcpu.h"

#define MSR_LENGTH 2 /* bytes of RDMSR and WRMSR */

/* The MSR permission map: two bits for an MSR, three ranges of 8192 MSRs. */
#define RANGE_MSRS     0x2000u
#define RANGE_BYTES    0x800u
#define INTERCEPT_BOTH 3u /* reads and writes */

static uint8_t msrpm[0x2000] __attribute__((aligned(4096)));

static const uint32_t ranges[] = {0x00000000, 0xc0000000, 0xc0010000};
#define RANGES (sizeof(ranges) / sizeof(*ranges))

/* A bit for each MSR of the platform. It saves a search through its many rows at each access of the
 * PMU. */
static uint8_t of_platform[RANGES][RANGE_MSRS / 8];

#define EFER_FFXSR      (1ull << 14)
#define CPUID_EDX_FFXSR (1u << 25) /* 0x80000001 */

static bool is_svm_msr(uint32_t msr)
{
	return msr == MSR_AMD_VM_CR || msr == MSR_AMD_VM_HSAVE_PA;
}

static bool is_msr_shared(uint32_t msr)
{
	for (unsigned r = 0; r < RANGES; r++)
		if (msr - ranges[r] < RANGE_MSRS)
			return of_platform[r][(msr - ranges[r]) / 8] >> msr % 8 & 1;
	return false;
}

static bool is_intercepted(struct vpmu_cpu *cpu, uint32_t msr)
{
	uint64_t ignored;

	return msr == MSR_EFER || msr == MSR_IA32_SYSENTER_CS || is_svm_msr(msr) ||
	       vpmu_ipi_has_msr(msr) || vpmu_platform_refuses(&vpmu_faults, msr) ||
	       is_msr_shared(msr) || vpmu_kvm_lacks(cpu->model.uarch, msr) ||
	       vpmu_model_rdmsr(&cpu->model, msr, &ignored) != VPMU_NOT_OURS;
}

static void init_msr(struct vpmu_cpu *cpu, unsigned r, uint32_t i)
{
	if (vpmu_platform_names(cpu->model.uarch, ranges[r] + i))
		of_platform[r][i / 8] |= (uint8_t)(1u << i % 8);
	if (!is_intercepted(cpu, ranges[r] + i))
		return;
	msrpm[r * RANGE_BYTES + i / 4] |= INTERCEPT_BOTH << (i % 4 * 2);
	if (!is_msr_shared(ranges[r] + i) && !vpmu_platform_refuses(&vpmu_faults, ranges[r] + i))
		vpmu_quick_add(cpu, ranges[r] + i);
}

void vpmu_msrpm_init(struct vpmu_cpu *cpu)
{
	for (unsigned r = 0; r < RANGES; r++)
		for (uint32_t i = 0; i < RANGE_MSRS; i++)
			init_msr(cpu, r, i);
}

uint64_t vpmu_msrpm_base(void)
{
	return (uint64_t)msrpm;
}

static uint64_t efer_read(const struct vpmu_cpu *cpu)
{
	uint64_t real = vpmu_vmcb.efer & ~(EFER_SVME | EFER_SCE);

	return real | (cpu->switches.sce ? EFER_SCE : 0);
}

static uint64_t efer_settable(void)
{
	bool ffxsr = insn_cpuid(0x80000001, 0).edx & CPUID_EDX_FFXSR;

	return EFER_SCE | EFER_LME | EFER_NXE | (ffxsr ? EFER_FFXSR : 0);
}

/* Ignores bits that the machine does not have, as the machine does. */
static void efer_write(struct vpmu_cpu *cpu, uint64_t v)
{
	uint64_t settable = efer_settable();

	cpu->switches.sce = v & EFER_SCE;
	vpmu_vmcb.efer = (vpmu_vmcb.efer & ~settable) | (v & settable);
}

static bool efer_write_faults(uint64_t v)
{
	return vpmu_vmcb.cr0 & CR0_PG && (v ^ vpmu_vmcb.efer) & EFER_LME;
}

/* Accesses a register of the platform, with the package locked. */
static enum vpmu_access access_shared(struct vpmu_cpu *cpu, uint32_t msr, uint64_t *v,
				      enum vpmu_access (*access)(const struct vpmu_platform *,
								 uint32_t, uint64_t *))
{
	struct vpmu_platform platform;
	enum vpmu_access result;

	vpmu_shared_lock(cpu, &platform);
	result = access(&platform, msr, v);
	vpmu_shared_unlock(cpu);
	vpmu_vmcb.tsc_offset = cpu->thread.tsc_offset;
	return result;
}

static enum vpmu_access try_platform(const struct vpmu_platform *p, uint32_t msr, uint64_t *v)
{
	return vpmu_platform_try(p, msr, *v);
}

static enum vpmu_access write_platform(const struct vpmu_platform *p, uint32_t msr, uint64_t *v)
{
	return vpmu_platform_wrmsr(p, msr, *v);
}

/* Checked before the instruction is counted: a write that faults has no effect. */
static bool write_faults(struct vpmu_cpu *cpu, uint32_t msr, uint64_t v)
{
	if (vpmu_platform_refuses(&vpmu_faults, msr))
		return true;
	if (msr == MSR_EFER)
		return efer_write_faults(v);
	if (msr == MSR_IA32_SYSENTER_CS)
		return false;
	if (vpmu_ipi_has_msr(msr))
		return vpmu_ipi_msr_faults(v);
	if (is_msr_shared(msr))
		return access_shared(cpu, msr, &v, try_platform) != VPMU_DONE;
	return is_svm_msr(msr) || vpmu_model_wrmsr_faults(&cpu->model, msr, v);
}

/* Accounts for the cycles up to now with the frequency that MISC_ENABLE has selected so far. */
static void settle_frequency(struct vpmu_cpu *cpu)
{
	struct vpmu_platform platform;

	vpmu_shared_lock(cpu, &platform);
	vpmu_shared_unlock(cpu);
}

/* Counts the WRMSR by the counters as they were before it: a counter counts the WRMSR that stops
 * it, and not the WRMSR that starts it. */
static void emulate_write(struct vpmu_cpu *cpu, uint32_t msr)
{
	uint64_t v = (uint32_t)vpmu_vmcb.rax | cpu->gpr.rdx << 32;

	if (write_faults(cpu, msr, v)) {
		vpmu_inject_error(VECTOR_GP, 0);
		return;
	}
	vpmu_retire(cpu, vpmu_insn_length(MSR_LENGTH));
	if (msr == MSR_IA32_MISC_ENABLE)
		settle_frequency(cpu);
	if (msr == MSR_EFER)
		efer_write(cpu, v);
	else if (msr == MSR_IA32_SYSENTER_CS)
		vpmu_sysenter_set(cpu, v);
	else if (vpmu_ipi_has_msr(msr))
		vpmu_ipi_wrmsr(v);
	else if (is_msr_shared(msr))
		access_shared(cpu, msr, &v, write_platform);
	else
		vpmu_model_wrmsr(&cpu->model, msr, v);
	if (msr == MSR_IA32_TSC)
		vpmu_timer_anew(cpu);
}

static bool emulate_rdmsr(struct vpmu_cpu *cpu, uint32_t msr, uint64_t *v)
{
	if (vpmu_platform_refuses(&vpmu_faults, msr))
		return false;
	if (vpmu_ipi_has_msr(msr))
		return vpmu_ipi_rdmsr(v);
	if (is_msr_shared(msr))
		return access_shared(cpu, msr, v, vpmu_platform_rdmsr) == VPMU_DONE;
	if (msr == MSR_EFER)
		*v = efer_read(cpu);
	else if (msr == MSR_IA32_SYSENTER_CS)
		*v = cpu->switches.sysenter_cs;
	else
		return !is_svm_msr(msr) && vpmu_model_rdmsr(&cpu->model, msr, v) == VPMU_DONE;
	return true;
}

bool vpmu_read_counter(struct vpmu_cpu *cpu, uint32_t ecx, uint64_t *v)
{
	if (vpmu_platform_counts(cpu->model.uarch, ecx))
		return access_shared(cpu, ecx, v, vpmu_platform_rdpmc) == VPMU_DONE;
	return vpmu_model_rdpmc(&cpu->model, ecx, v) == VPMU_DONE;
}

static void emulate_read(struct vpmu_cpu *cpu, uint32_t msr)
{
	uint64_t v;

	if (!emulate_rdmsr(cpu, msr, &v)) {
		vpmu_inject_error(VECTOR_GP, 0);
		return;
	}
	vpmu_vmcb.rax = (uint32_t)v;
	cpu->gpr.rdx = v >> 32;
	vpmu_retire(cpu, vpmu_insn_length(MSR_LENGTH));
	vpmu_extended_apic_expect(cpu, msr);
}

void vpmu_emulate_msr(struct vpmu_cpu *cpu)
{
	bool write = vpmu_vmcb.exit_info1 & MSR_IS_WRITTEN;

	if (write)
		emulate_write(cpu, (uint32_t)cpu->gpr.rcx);
	else
		emulate_read(cpu, (uint32_t)cpu->gpr.rcx);
}
