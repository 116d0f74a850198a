/* SPDX-License-Identifier: BSD-2-Clause */
/* core_macro_ops.h - the macro-operations of AMD's cores. */
#ifndef VPMU_CORE_CORE_MACRO_OPS_H
#define VPMU_CORE_CORE_MACRO_OPS_H

#include "vpmu/core/timed_core.h"

#include <Zydis/Zydis.h>

/* core_macro_ops() - as how many operations the instruction is renamed, at least 1. `computes`: its
 * operations that compute. As a Zen 4 shows (tests/accuracy): each form was put into a loop of
 * moves that has eight operations without it, as nine are one entry of the op cache, and ten are
 * two. */
unsigned core_macro_ops(const struct core_insn *insn, const ZydisDecodedInstruction *i,
			const ZydisDecodedOperand *o, unsigned computes);

#endif
