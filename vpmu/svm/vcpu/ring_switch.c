// SPDX-License-Identifier: BSD-2-Clause
/*
 * ring_switch.c - recognises SYSCALL, SYSENTER and their returns. AMD APM vol. 3, "SYSCALL",
 * "SYSRET"; SDM vol. 2, "SYSENTER", "SYSEXIT". The machine's CPU is AMD's and has no SYSENTER in
 * long mode, so it raises #UD there.
 */
#include "vpmu/svm/vcpu/ring_switch.h"

#include "vpmu/svm/vcpu/guest_insn.h"
#include "vpmu/svm/vcpu/guest_memory.h"
#include "vpmu/svm/vcpu/vcpu.h"

/* The second byte of opcodes of two bytes. */
#define OPCODE_SYSCALL  0x05
#define OPCODE_SYSRET   0x07
#define OPCODE_SYSENTER 0x34
#define OPCODE_SYSEXIT  0x35

static enum vpmu_ring_switch syscall_at_rip(const struct vpmu_cpu *cpu, uint8_t opcode, bool rex_w)
{
	if (!cpu->switches.sce)
		return SWITCH_NONE;
	if (opcode == OPCODE_SYSCALL)
		return SWITCH_SYSCALL;
	if (vpmu_vmcb.cpl)
		return SWITCH_SYSRET_REFUSED;
	return rex_w ? SWITCH_SYSRET64 : SWITCH_SYSRET32;
}

static enum vpmu_ring_switch sysenter_at_rip(const struct vpmu_cpu *cpu, uint8_t opcode, bool rex_w)
{
	if (cpu->model.uarch->vendor != VPMU_INTEL && vpmu_guest_64bit())
		return SWITCH_NONE;
	if (!vpmu_sysenter_cs(cpu) || (opcode == OPCODE_SYSEXIT && vpmu_vmcb.cpl))
		return SWITCH_SYSENTER_REFUSED;
	if (opcode == OPCODE_SYSENTER)
		return SWITCH_SYSENTER;
	return rex_w ? SWITCH_SYSEXIT64 : SWITCH_SYSEXIT32;
}

enum vpmu_ring_switch vpmu_ring_switch_at_rip(const struct vpmu_cpu *cpu)
{
	struct insn insn;
	bool rex_w;

	if (!vpmu_guest_long_mode())
		return SWITCH_NONE;
	insn = vpmu_insn_at(0);
	rex_w = insn.rex & INSN_REX_W;
	if (insn.opcode_bytes != 2)
		return SWITCH_NONE;
	switch (insn.opcode) {
	case OPCODE_SYSCALL:
	case OPCODE_SYSRET:
		return syscall_at_rip(cpu, insn.opcode, rex_w);
	case OPCODE_SYSENTER:
	case OPCODE_SYSEXIT:
		return sysenter_at_rip(cpu, insn.opcode, rex_w);
	}
	return SWITCH_NONE;
}

bool vpmu_is_syscall(const struct vpmu_cpu *cpu)
{
	const enum vpmu_ring_switch which = vpmu_ring_switch_at_rip(cpu);

	return which != SWITCH_NONE && which < SWITCH_SYSENTER;
}

bool vpmu_is_hidden_sysenter(const struct vpmu_cpu *cpu)
{
	return vpmu_vmcb.exit_code == VMEXIT_EXCEPTION + VECTOR_GP &&
	       cpu->switches.sysenter_is_hidden && vpmu_ring_switch_at_rip(cpu) == SWITCH_SYSENTER;
}

bool vpmu_completes(const struct vpmu_cpu *cpu)
{
	enum vpmu_ring_switch which;

	if (vpmu_is_hidden_sysenter(cpu))
		return true;
	if (vpmu_vmcb.exit_code != VMEXIT_UD)
		return vpmu_vmcb.exit_code == VMEXIT_INTN;
	which = vpmu_ring_switch_at_rip(cpu);
	return which != SWITCH_NONE && which != SWITCH_SYSRET_REFUSED &&
	       which != SWITCH_SYSENTER_REFUSED;
}
