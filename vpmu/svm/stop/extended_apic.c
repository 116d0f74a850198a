// SPDX-License-Identifier: BSD-2-Clause
/*
 * extended_apic.c - emulates AMD's extended interrupts of the local APIC. The machine's APIC lacks
 * them, and reads of its page do not exit. Software reads IBS_CONTROL to learn which of them IBS
 * uses, and accesses that register right afterwards. So the instructions after that RDMSR are
 * stepped, and an instruction that accesses such a register gets the model's. With nested paging it
 * finds a page of vpmu's instead of the APIC (nested_paging.c). APM vol. 2, "Extended Interrupts".
 */
#include "vpmu/svm/stop/extended_apic.h"

#include "arch/x86/dev/apic.h"
#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "vpmu/model/apic_move.h"
#include "vpmu/svm/vcpu/guest_memory.h"
#include "vpmu/svm/vcpu/local_apic.h"
#include "vpmu/svm/vcpu/vcpu.h"

#define WINDOW     256 /* instructions */
#define EILVT_SPAN 0x10u

void vpmu_extended_apic_expect(struct vpmu_cpu *cpu, uint32_t msr)
{
	if (msr == MSR_AMD_IBS_CONTROL)
		cpu->extended_apic.steps = WINDOW;
}

unsigned vpmu_eilvt_of(uint64_t offset)
{
	const uint64_t at = offset - APIC_EILVT(0);

	return at < VPMU_EILVTS * EILVT_SPAN && at % EILVT_SPAN == 0 ? (unsigned)(at / EILVT_SPAN)
								     : VPMU_EILVTS;
}

/* The index of the register at `va`; VPMU_EILVTS: none. */
static unsigned eilvt_at(uint64_t va)
{
	const uint64_t base = rdmsr(MSR_IA32_APIC_BASE);
	uint64_t pa;

	if (!(base & APIC_BASE_EN) || base & APIC_BASE_EXTD || !vpmu_guest_physical(va, &pa))
		return VPMU_EILVTS;
	return vpmu_eilvt_of(pa - vpmu_apic_page(base));
}

/* Notes the CPU register's value before the instruction, because XCHG changes it. */
static void look_at_move(struct vpmu_cpu *cpu)
{
	struct vpmu_extended_apic *x = &cpu->extended_apic;
	struct apic_move move;

	x->rip = vpmu_vmcb.rip;
	x->code_bytes = vpmu_guest_code(x->code, sizeof(x->code));
	x->is_found = apic_move_decode(x->code, x->code_bytes, &move);
	if (x->is_found)
		x->stored = (uint32_t)*vpmu_guest_register(cpu, move.gpr);
}

void vpmu_extended_apic_before(struct vpmu_cpu *cpu)
{
	struct vpmu_extended_apic *x = &cpu->extended_apic;
	const struct vpmu_op *op = &cpu->decoder.op;

	x->is_found = false;
	if (!x->steps)
		return;
	x->steps--;
	if (!op->has_linear || op->bytes != sizeof(uint32_t))
		return;
	x->eilvt = eilvt_at(op->linear);
	if (x->eilvt < VPMU_EILVTS)
		look_at_move(cpu);
}

void vpmu_extended_apic_after(struct vpmu_cpu *cpu)
{
	struct vpmu_extended_apic *x = &cpu->extended_apic;
	const uint64_t length = vpmu_vmcb.rip - x->rip;
	const unsigned i = x->eilvt;
	struct apic_move move;
	uint32_t was;

	if (!x->is_found || length > x->code_bytes || !apic_move_decode(x->code, length, &move))
		return;
	was = vpmu_eilvt_read(&cpu->model, i);
	if (move.stores)
		vpmu_eilvt_write(&cpu->model, i, move.constant ? move.value : x->stored);
	if (move.loads)
		*vpmu_guest_register(cpu, move.gpr) = was;
}
