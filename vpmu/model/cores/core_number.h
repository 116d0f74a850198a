// SPDX-License-Identifier: BSD-2-Clause
/*
 * Numbers of mnemonics in the keys of the tables: those of Zydis 4.0. Zydis 4.1 inserts mnemonics,
 * in the order of the alphabet. The number of 4.0 is that of 4.1 without the inserted ones before
 * it.
 */
#ifndef PERF0_VPMU_MODEL_CORES_CORE_NUMBER_H
#define PERF0_VPMU_MODEL_CORES_CORE_NUMBER_H

#include <stdbool.h>
#include <Zydis/Zydis.h>

#define CORE_ZYDIS_4_1 (ZYDIS_VERSION >= 0x0004000100000000ULL)

/* A row for each place: the mnemonic before it, which both have, and how many were inserted. */
/* clang-format off */
#define CORE_INSERTED(X, m) \
	X(AAD, 1, m) \
	X(AAM, 1, m) \
	X(ANDPS, 1, m) \
	X(ARPL, 1, m) \
	X(PBLENDW, 1, m) \
	X(PCMPISTRM, 1, m) \
	X(PREFETCH, 2, m) \
	X(RDMSR, 1, m) \
	X(TDPBUUD, 1, m) \
	X(VANDPS, 2, m) \
	X(VCVTNE2PS2BF16, 4, m) \
	X(VPCONFLICTQ, 4, m) \
	X(VPDPBUSDS, 2, m) \
	X(VPDPWSSDS, 6, m) \
	X(VSCATTERQPS, 3, m) \
	X(VSHUFPS, 5, m) \
	X(WRMSR, 2, m)
/* clang-format on */

/* How many of a place's inserted mnemonics come before `m`, and whether `m` is one. */
#define CORE_BEHIND(name, count, m)                                 \
	-(!CORE_ZYDIS_4_1 || (m) <= ZYDIS_MNEMONIC_##name ? 0       \
	  : (m) > ZYDIS_MNEMONIC_##name + (count)         ? (count) \
							  : (m)-ZYDIS_MNEMONIC_##name)
#define CORE_IS(name, count, m) \
	|| (CORE_ZYDIS_4_1 && (m) > ZYDIS_MNEMONIC_##name && (m) <= ZYDIS_MNEMONIC_##name + (count))

/* The number of a mnemonic that Zydis 4.0 has; a constant, if `m` is one. */
#define CORE_NUMBER(m) ((m)CORE_INSERTED(CORE_BEHIND, m))

/* Returns the number of a mnemonic of Zydis, or 0 (no instruction) for one that the tables lack. */
static inline unsigned core_number(int m)
{
	const bool is_inserted = false CORE_INSERTED(CORE_IS, m);

	return is_inserted ? 0 : (unsigned)CORE_NUMBER(m);
}

#endif
