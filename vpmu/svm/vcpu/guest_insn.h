/* SPDX-License-Identifier: BSD-2-Clause */
/* guest_insn.h - the instruction at the guest's RIP. TCG's SVM reports no lengths of instructions.
 */
#ifndef VPMU_SVM_VCPU_GUEST_INSN_H
#define VPMU_SVM_VCPU_GUEST_INSN_H

#include "lib/insn_decode.h"

#include <stdint.h>

/* vpmu_insn_at() - the instruction `ahead` bytes behind RIP, as far as its code is mapped. */
struct insn vpmu_insn_at(uint64_t ahead);

/* vpmu_insn_length() - the length of the instruction at RIP, which consists of prefixes and of
 * `opcode_bytes` bytes. */
unsigned vpmu_insn_length(unsigned opcode_bytes);

/*
 * vpmu_insn_shadow() - the instruction's length if it opens an interrupt shadow: then interrupts
 * and single steps come after the next instruction at the earliest. 0: it opens none.
 */
unsigned vpmu_insn_shadow(const struct insn *insn);

/* vpmu_decode_move() - decodes the MOV at RIP from or to a control or debug register: the number of
 * its general register, and its length. Another instruction at RIP ends the machine. */
struct vpmu_move {
	unsigned reg, length;
};
struct vpmu_move vpmu_decode_move(void);

#endif
