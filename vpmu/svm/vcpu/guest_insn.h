/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * guest_insn.h - the instruction at the guest's RIP: its prefixes, its opcode, and lengths, which
 * TCG's SVM does not report.
 */
#ifndef VPMU_SVM_VCPU_GUEST_INSN_H
#define VPMU_SVM_VCPU_GUEST_INSN_H

#include <stdbool.h>
#include <stdint.h>

#define VPMU_INSN_MAX       15
#define VPMU_PREFIX_OPERAND 0x66
#define VPMU_PREFIX_ADDRESS 0x67
#define VPMU_PREFIX_REPNE   0xf2
#define VPMU_PREFIX_REP     0xf3
#define VPMU_REX_W          0x08
#define VPMU_REX_B          0x01

struct vpmu_insn {
	uint8_t code[VPMU_INSN_MAX];
	uint8_t bytes;  /* of `code` that are mapped */
	uint8_t opcode; /* its index in `code`: the length of the prefixes */
	uint8_t rex;    /* 0: the instruction has none */
};

/* vpmu_insn_at() - the instruction `ahead` bytes behind RIP. */
struct vpmu_insn vpmu_insn_at(uint64_t ahead);

/* vpmu_insn_byte() - byte `n` from the opcode on; 0 if it is not mapped. */
uint8_t vpmu_insn_byte(const struct vpmu_insn *insn, unsigned n);
bool vpmu_insn_has_prefix(const struct vpmu_insn *insn, uint8_t prefix);

/* vpmu_insn_length() - the length of the instruction at RIP, which has `opcode_bytes` behind its
 * prefixes. */
unsigned vpmu_insn_length(unsigned opcode_bytes);

/*
 * vpmu_insn_shadow() - the instruction's length if it opens an interrupt shadow: interrupts and
 * single steps then come behind the next instruction at the earliest. 0: it opens none.
 */
unsigned vpmu_insn_shadow(const struct vpmu_insn *insn);

/* vpmu_decode_move() - the MOV at RIP from or to a control or debug register: the number of its
 * general register, and its length. Anything else at RIP ends the machine. */
struct vpmu_move {
	unsigned reg, length;
};
struct vpmu_move vpmu_decode_move(void);

#endif
