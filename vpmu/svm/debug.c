// SPDX-License-Identifier: BSD-2-Clause
/*
 * debug.c - MOV to and from DR6 where vpmu steps. The CPU's DR6 tells of vpmu's step then, and not
 * of what the guest has there; so these instructions exit, and are emulated. APM vol. 3, "MOV DRn".
 */
#include "arch/x86/insn.h"
#include "vpmu/svm/vpmu.h"

#define DR6_FIXED 0xffff0ff0ull

struct vpmu_move vpmu_decode_move(void)
{
	const struct insn insn = vpmu_insn_at(0);

	if (!insn.length)
		vpmu_die("MOV exit, but no MOV at RIP");
	return (struct vpmu_move){.reg = insn_rm(&insn), .length = insn.length};
}

/* DR4 is another name of DR6, unless CR4 says that it is none. */
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
	vpmu_vmcb.dr6 = (uint32_t)v | DR6_FIXED;
	vpmu_retire(cpu, move.length);
}
