// SPDX-License-Identifier: BSD-2-Clause
/*
 * control_registers.c - MOV to CR0, CR3 and CR4. APM vol. 2, "CR0 Register", "CR3 Register", "CR4
 * Register", "Canonicalization and Consistency Checks"; vol. 3, "MOV CRn".
 *
 * A CPU raises #GP for a write that leads to a state which VMRUN refuses. TCG checks less: it
 * accepts long mode without PE or PAE, and the next VMRUN fails. So writes that may lead to such a
 * state exit. Writes that do lead there get #GP; all others are stepped, because they may change
 * the mode. If reserved bits of CR3 or CR4 are set, TCG itself exits, with the code of a VMRUN that
 * fails.
 *
 * While ring 0 is traced each MOV to CR3 exits, because the trace records it and may begin or end
 * there.
 */
#include "vpmu/svm/control_registers.h"

#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "vpmu/svm/count/branch_trace.h"
#include "vpmu/svm/count/cpu_shared.h"
#include "vpmu/svm/emulate.h"
#include "vpmu/svm/vcpu/crash_dump.h"
#include "vpmu/svm/vcpu/event_inject.h"
#include "vpmu/svm/vcpu/guest_insn.h"
#include "vpmu/svm/vcpu/guest_memory.h"
#include "vpmu/svm/vcpu/vcpu.h"

#define CR3_NO_FLUSH (1ull << 63) /* keep translations, if CR4.PCIDE */

#define CPUID_ADDRESSES 0x80000008u /* EAX 7:0: bits of a physical address */

#define OPCODE_MOV_TO_CR 0x22

uint32_t vpmu_control_intercepts(const struct vpmu_cpu *cpu)
{
	const bool tells_cr3 = vpmu_trace_wants_cr3(cpu) && vpmu_guest_long_mode();

	return (tells_cr3 ? INTERCEPT_CR3_WRITE : 0) |
	       (cpu->step.writes_control ? 0 : INTERCEPT_CR4_WRITE);
}

/*
 * The number of the control register that the instruction at RIP writes; -1: it is not such a MOV.
 */
static int written_register(void)
{
	const struct insn insn = vpmu_insn_at(0);

	return insn_is_0f(&insn, OPCODE_MOV_TO_CR) ? (int)insn_field(&insn) : -1;
}

/* True where long mode would be active without PE or PAE. */
static bool is_refused(uint64_t cr0, uint64_t cr4)
{
	return vpmu_vmcb.efer & EFER_LME && cr0 & CR0_PG && !(cr0 & CR0_PE && cr4 & CR4_PAE);
}

/* LMSW exits like a MOV to CR0. It never clears PE, so it never leads to a refused state. */
void vpmu_check_control_write(struct vpmu_cpu *cpu)
{
	const int which = written_register();
	uint64_t value = which < 0 ? 0 : *vpmu_guest_register(cpu, vpmu_decode_move().reg);

	if ((which == 0 && is_refused(value, vpmu_vmcb.cr4)) ||
	    (which == 4 && is_refused(vpmu_vmcb.cr0, value))) {
		vpmu_inject_error(VECTOR_GP, 0);
		return;
	}
	cpu->step.once = cpu->step.writes_control = true;
	if (vpmu_faults.vmrun)
		vpmu_vmcb.asid = 0; /* the host's ASID */
}

void vpmu_on_invalid(struct vpmu_cpu *cpu)
{
	const int which = written_register();

	(void)cpu;
	if (which != 3 && which != 4)
		vpmu_die("VMRUN refused the guest's state");
	vpmu_inject_error(VECTOR_GP, 0);
}

static bool has_reserved_bits(uint64_t v)
{
	return v >> (insn_cpuid(CPUID_ADDRESSES, 0).eax & 0xff);
}

void vpmu_emulate_cr3_write(struct vpmu_cpu *cpu)
{
	const struct vpmu_move move = vpmu_decode_move();
	uint64_t v = *vpmu_guest_register(cpu, move.reg);

	if (vpmu_vmcb.cr4 & CR4_PCIDE)
		v &= ~CR3_NO_FLUSH;
	if (has_reserved_bits(v)) {
		vpmu_inject_error(VECTOR_GP, 0);
		return;
	}
	vpmu_retire(cpu, move.length);
	vpmu_vmcb.cr3 = v;
	vpmu_vmcb.tlb_control = TLB_FLUSH_ALL;
	vpmu_trace_cr3(cpu);
}
