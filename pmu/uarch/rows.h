/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * rows.h - the list of all microarchitectures: Intel's large cores, its small cores, AMD's; each by
 * age. A parent comes before the rows that are like it. uarch.h says how to add one.
 */
#ifndef PMU_UARCH_ROWS_H
#define PMU_UARCH_ROWS_H

#include "pmu/uarch/uarch.h"

#define UARCH_ROWS(X)       \
	X(nehalem)          \
	X(nehalemex)        \
	X(westmere)         \
	X(westmereex)       \
	X(sandybridge)      \
	X(sandybridgex)     \
	X(ivybridge)        \
	X(ivybridgex)       \
	X(haswell)          \
	X(haswellx)         \
	X(broadwell)        \
	X(broadwellx)       \
	X(broadwellde)      \
	X(skylake)          \
	X(skylakex)         \
	X(cascadelakex)     \
	X(icelake)          \
	X(icelakex)         \
	X(tigerlake)        \
	X(goldencove)       \
	X(sapphirerapids)   \
	X(emeraldrapids)    \
	X(redwoodcove)      \
	X(graniterapids)    \
	X(lioncove)         \
	X(cougarcove)       \
	X(silvermont)       \
	X(knightslanding)   \
	X(goldmont)         \
	X(goldmontplus)     \
	X(tremont)          \
	X(gracemont)        \
	X(crestmont)        \
	X(sierraforest)     \
	X(grandridge)       \
	X(skymont)          \
	X(darkmont)         \
	X(clearwaterforest) \
	X(k7)               \
	X(k8)               \
	X(fam10h)           \
	X(fam15h)           \
	X(fam16h)           \
	X(zen1)             \
	X(zen2)             \
	X(zen3)             \
	X(zen4)             \
	X(zen5)

#define UARCH_DECLARE(name) extern const struct uarch uarch_##name;
UARCH_ROWS(UARCH_DECLARE)
#undef UARCH_DECLARE

#endif
