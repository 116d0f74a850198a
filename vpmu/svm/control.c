// SPDX-License-Identifier: BSD-2-Clause
/*
 * cr3.c - MOV to CR3 while ring 0 is traced: a trace tells each, and may begin or end there. APM
 * vol. 2, "CR3 Register"; vol. 3, "MOV CRn".
 */
#include "arch/x86/insn.h"
#include "vpmu/svm/vpmu.h"

#define CR3_NO_FLUSH (1ull << 63) /* of a machine with PCIDs: keep translations */

#define CPUID_ADDRESSES 0x80000008u /* EAX 7:0: bits of a physical address */

uint32_t vpmu_cr3_intercept(const struct vpmu_cpu *cpu)
{
	return vpmu_trace_wants_cr3(cpu) && vpmu_guest_long_mode() ? INTERCEPT_CR3_WRITE : 0;
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
