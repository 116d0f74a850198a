// SPDX-License-Identifier: BSD-2-Clause
/* debug_registers.c - emulates MOV to and from DR6 while vpmu steps. The CPU's DR6 then reports
 * vpmu's step, and the guest must not see that. APM vol. 3, "MOV DRn". */
#include "vpmu/svm/debug_registers.h"

#include "arch/x86/insn.h"
#include "vpmu/svm/emulate.h"
#include "vpmu/svm/vcpu/event_inject.h"
#include "vpmu/svm/vcpu/guest_insn.h"
#include "vpmu/svm/vcpu/guest_memory.h"
#include "vpmu/svm/vcpu/vcpu.h"

/* DR4 is an alias of DR6, unless CR4.DE is set. */
static bool is_alias_off(uint64_t dr4_exit)
{
	return vpmu_vmcb.exit_code == dr4_exit && vpmu_vmcb.cr4 & CR4_DE;
}

void vpmu_emulate_dr6_read(struct vpmu_cpu *cpu)
{
	const struct vpmu_move move = vpmu_decode_move();
	uint64_t *const to = vpmu_guest_register(cpu, move.reg);

	if (is_alias_off(VMEXIT_DR4_READ)) {
		vpmu_inject(VECTOR_UD);
		return;
	}
	*to = vpmu_vmcb.dr6;
	vpmu_retire(cpu, move.length);
}

void vpmu_emulate_dr6_write(struct vpmu_cpu *cpu)
{
	const struct vpmu_move move = vpmu_decode_move();
	const uint64_t v = *vpmu_guest_register(cpu, move.reg);

	if (is_alias_off(VMEXIT_DR4_WRITE)) {
		vpmu_inject(VECTOR_UD);
		return;
	}
	if (vpmu_guest_64bit() && v > UINT32_MAX) {
		vpmu_inject_error(VECTOR_GP, 0);
		return;
	}
	vpmu_vmcb.dr6 = (uint32_t)v | DR6_AT_INIT;
	vpmu_retire(cpu, move.length);
}
