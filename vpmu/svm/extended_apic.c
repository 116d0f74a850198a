// SPDX-License-Identifier: BSD-2-Clause
/*
 * extended_apic.c - AMD's extended interrupts of the local APIC, which the APIC below does not
 * have, and whose page vpmu cannot intercept. Software looks into IBS_CONTROL for which of them is
 * that of IBS, and goes on to it there and then: so the instructions behind that RDMSR are stepped,
 * and one that accesses such a register gets the model's. APM vol. 2, "Extended Interrupts".
 */
#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "vpmu/model/apic_move.h"
#include "vpmu/svm/vpmu.h"

#define WINDOW     256 /* instructions */
#define APIC_EILVT 0x500u
#define EILVT_SPAN 0x10u

void vpmu_extended_apic_expect(struct vpmu_cpu *cpu, uint32_t msr)
{
	if (msr == MSR_AMD_IBS_CONTROL)
		cpu->extended_apic.steps = WINDOW;
}

/* Which of them is at `va`; VPMU_EILVTS: none. */
static unsigned eilvt_at(uint64_t va)
{
	const uint64_t base = rdmsr(MSR_IA32_APIC_BASE);
	uint64_t pa, offset;

	if (!(base & APIC_BASE_EN) || base & APIC_BASE_EXTD || !vpmu_guest_physical(va, &pa))
		return VPMU_EILVTS;
	offset = pa - vpmu_apic_page(base) - APIC_EILVT;
	return offset < VPMU_EILVTS * EILVT_SPAN && offset % EILVT_SPAN == 0
		       ? (unsigned)(offset / EILVT_SPAN)
		       : VPMU_EILVTS;
}

/* What is stored is what the register has now: XCHG loads it. */
static void look_at_move(struct vpmu_cpu *cpu)
{
	struct vpmu_extended_apic *x = &cpu->extended_apic;
	struct apic_move move;

	x->rip = vpmu_vmcb.rip;
	x->code_bytes = vpmu_guest_code(x->code, sizeof(x->code));
	if (apic_move_decode(x->code, x->code_bytes, &move))
		x->stored = (uint32_t)*vpmu_guest_register(cpu, move.gpr);
	else
		x->eilvt = VPMU_EILVTS;
}

void vpmu_extended_apic_before(struct vpmu_cpu *cpu)
{
	struct vpmu_extended_apic *x = &cpu->extended_apic;
	const struct vpmu_op *op = &cpu->witness.op;

	if (!x->steps)
		return;
	x->steps--;
	x->eilvt = op->has_linear && op->bytes == sizeof(uint32_t) ? eilvt_at(op->linear)
								   : VPMU_EILVTS;
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

	x->eilvt = VPMU_EILVTS;
	if (i >= VPMU_EILVTS || length > x->code_bytes || !apic_move_decode(x->code, length, &move))
		return;
	was = vpmu_eilvt_read(&cpu->model, i);
	if (move.stores)
		vpmu_eilvt_write(&cpu->model, i, move.constant ? move.value : x->stored);
	if (move.loads)
		*vpmu_guest_register(cpu, move.gpr) = was;
}
