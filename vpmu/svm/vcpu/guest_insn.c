// SPDX-License-Identifier: BSD-2-Clause
/* guest_insn.c - decodes the instruction at the guest's RIP, by lib/insn_decode.h. */
#include "vpmu/svm/vcpu/guest_insn.h"

#include "vpmu/svm/vcpu/crash_dump.h"
#include "vpmu/svm/vcpu/guest_memory.h"
#include "vpmu/svm/vcpu/vcpu.h"

#define OPCODE_STI  0xfb
#define OPCODE_MOVS 0x8e /* MOV to a segment register */
#define OPCODE_POPS 0x17 /* POP SS, not in 64-bit code */
#define SEGMENT_SS  2

static unsigned code_bits(void)
{
	if (vpmu_guest_64bit())
		return 64;
	return vpmu_vmcb.cs.attributes & SEGMENT_32 ? 32 : 16;
}

struct insn vpmu_insn_at(uint64_t ahead)
{
	uint8_t code[INSN_MAX_BYTES];
	const size_t n = vpmu_guest_read(vpmu_guest_linear_rip() + ahead, code, sizeof(code));
	struct insn insn;

	insn_decode(&insn, code, n, code_bits());
	return insn;
}

unsigned vpmu_insn_length(unsigned opcode_bytes)
{
	return vpmu_insn_at(0).start + opcode_bytes;
}

struct vpmu_move vpmu_decode_move(void)
{
	const struct insn insn = vpmu_insn_at(0);

	if (!insn.length)
		vpmu_die("MOV exit, but no MOV at RIP");
	return (struct vpmu_move){.reg = insn_rm(&insn), .length = insn.length};
}

unsigned vpmu_insn_shadow(const struct insn *insn)
{
	switch (insn_one_byte(insn)) {
	case OPCODE_STI:
		return insn->length;
	case OPCODE_POPS:
		return vpmu_guest_64bit() ? 0 : insn->length;
	case OPCODE_MOVS:
		return insn_field(insn) == SEGMENT_SS ? insn->length : 0;
	}
	return 0;
}
