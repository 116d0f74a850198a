// SPDX-License-Identifier: BSD-2-Clause
/*
 * core_shape.c - the rows. Sources: Intel 64 and IA-32 Architectures Optimization Reference Manual,
 * the chapters on each microarchitecture (widths, buffers, op cache, macro-fusion); AMD, Software
 * Optimization Guides for Zen 2 to Zen 4 (56305, 56665, 57647), "Instruction Fetch and Decode",
 * "Op Cache", "Dispatch", "Load-Store Unit"; A. Abel and J. Reineke, "uiCA: Accurate Throughput
 * Prediction of Basic Blocks on Recent Intel Microarchitectures" (arXiv 2107.14210), for the
 * predecoder, the instruction queue and the rules of the op cache; AMD, "Security Analysis of AMD
 * Predictive Store Forwarding", and measurements of a Zen 3 (tests/accuracy) for its times of
 * forwarding, and of a Zen 4 for those, for targets of branches and mispredictions; Intel,
 * "Mitigations for Jump Conditional Code Erratum". The cost of a misprediction is AMD's common case
 * ("Branch Prediction"), and that of LLVM's machine models for Intel's cores; Gracemont's is
 * chosen.
 */
#include "vpmu/core/core_shape.h"

#include <stddef.h>
#include <string.h>

#define INTEL_CACHE .cache_ways = 8, .cache_line = 6, .cache_lines = 3, .cache_window = 32
#define ALUS_015    0x23
#define ALUS_0156   0x63
#define ALUS_0156A  0x463
#define SKYLAKE                                                                                   \
	.width = 4, .retires = 4, .fetch_bytes = 16, .predecodes = 5, .decoders = 4, .queue = 25, \
	.decoded = 5, .cache_width = 6, INTEL_CACHE, .cache_sets = 32, .buffer = 64,              \
	.alu_units = ALUS_0156, .reorder = 224, .scheduler = 97, .loads = 72, .stores = 56,       \
	.forward_cycles = 4, .blocked_cycles = 12, .mispredict_cycles = 14,                       \
	.traits = CORE_JCC_ERRATUM | CORE_BOTH_WINDOWS | CORE_WINDOW_ONCE | CORE_STAYS_DECODING | \
		  CORE_FAST_POINTER | CORE_MOVES_GENERAL | CORE_MOVES_VECTOR | CORE_UNLAMINATES | \
		  CORE_POPCNT_WAITS | CORE_SPECIAL_STORE
#define HASWELL                                                                                   \
	.width = 4, .retires = 4, .fetch_bytes = 16, .predecodes = 5, .decoders = 4, .queue = 20, \
	.decoded = 4, .cache_width = 4, INTEL_CACHE, .cache_sets = 32, .loop = 56,                \
	.loop_twice = 28, .loop_most = 8, .buffer = 56, .alu_units = ALUS_0156, .reorder = 192,   \
	.scheduler = 60, .loads = 72, .stores = 42, .forward_cycles = 4, .blocked_cycles = 12,    \
	.mispredict_cycles = 16,                                                                  \
	.traits = CORE_FUSIBLE_NOT_LAST | CORE_STAYS_DECODING | CORE_FAST_POINTER |               \
		  CORE_MOVES_GENERAL | CORE_MOVES_VECTOR | CORE_UNLAMINATES | CORE_POPCNT_WAITS | \
		  CORE_TZCNT_WAITS | CORE_SPECIAL_STORE
#define ZEN                                                                                       \
	.width = 6, .retires = 8, .fetch_bytes = 32, .predecodes = 4, .decoders = 4, .queue = 16, \
	.cache_lines = 4, .cache_window = 64, .cache_sets = 64, .buffer = 64

static const struct core_shape shapes[] = {
	{.name = "snb",
	 .width = 4,
	 .retires = 4,
	 .fetch_bytes = 16,
	 .predecodes = 4,
	 .decoders = 4,
	 .decoded = 4,
	 .queue = 18,
	 .cache_width = 4,
	 INTEL_CACHE,
	 .cache_sets = 32,
	 .loop = 28,
	 .loop_most = 1,
	 .buffer = 28,
	 .alu_units = ALUS_015,
	 .reorder = 168,
	 .scheduler = 54,
	 .loads = 64,
	 .stores = 36,
	 .forward_cycles = 5,
	 .blocked_cycles = 12,
	 .mispredict_cycles = 16,
	 .traits = CORE_FUSIBLE_NOT_LAST | CORE_STAYS_DECODING | CORE_FAST_POINTER |
		   CORE_UNLAMINATES_ALL | CORE_POPCNT_WAITS},
	{.name = "hsw", HASWELL},
	{.name = "bdw", HASWELL},
	{.name = "skl", SKYLAKE},
	{.name = "skx", SKYLAKE},
	{.name = "icl",
	 .width = 5,
	 .retires = 8,
	 .fetch_bytes = 16,
	 .predecodes = 5,
	 .decoders = 4,
	 .decoded = 5,
	 .queue = 25,
	 .cache_width = 6,
	 .cache_ways = 8,
	 .cache_line = 6,
	 .cache_lines = 6,
	 .cache_window = 64,
	 .cache_sets = 48,
	 .loop = 70,
	 .loop_twice = 30,
	 .loop_most = 6,
	 .buffer = 70,
	 .alu_units = ALUS_0156,
	 .reorder = 352,
	 .scheduler = 160,
	 .loads = 128,
	 .stores = 72,
	 .forward_cycles = 5,
	 .blocked_cycles = 13,
	 .mispredict_cycles = 14,
	 .traits = CORE_PAIRS_STORES | CORE_STAYS_DECODING | CORE_MOVES_VECTOR | CORE_UNLAMINATES},
	{.name = "adl",
	 .width = 6,
	 .retires = 8,
	 .fetch_bytes = 32,
	 .predecodes = 6,
	 .decoders = 6,
	 .queue = 32,
	 .cache_width = 8,
	 .cache_ways = 8,
	 .cache_line = 8,
	 .cache_lines = 6,
	 .cache_window = 64,
	 .cache_sets = 64,
	 .loop = 0,
	 .buffer = 144,
	 .alu_units = ALUS_0156A,
	 .reorder = 512,
	 .scheduler = 220,
	 .loads = 192,
	 .stores = 112,
	 .forward_cycles = 5,
	 .blocked_cycles = 14,
	 .mispredict_cycles = 14,
	 .traits = CORE_PAIRS_STORES | CORE_STAYS_DECODING | CORE_MOVES_GENERAL |
		   CORE_MOVES_VECTOR | CORE_UNLAMINATES | CORE_RENAMES_MEMORY},
	/* ORM, Gracemont: two clusters of three decoders, and no op cache. */
	{.name = "gracemont",
	 .width = 5,
	 .retires = 8,
	 .fetch_bytes = 32,
	 .predecodes = 6,
	 .decoders = 6,
	 .queue = 32,
	 .cache_width = 6,
	 .cache_line = 6,
	 .cache_sets = 1,
	 .cache_window = 64,
	 .buffer = 64,
	 .alu_units = ALUS_0156A,
	 .reorder = 256,
	 .scheduler = 160,
	 .loads = 80,
	 .stores = 50,
	 .forward_cycles = 5,
	 .blocked_cycles = 14,
	 .mispredict_cycles = 14},
	{.name = "zen2",
	 ZEN,
	 .blocked_cycles = 14,
	 .cache_width = 8,
	 .cache_ways = 8,
	 .cache_line = 8,
	 .entries = {{8, 15, 15, 15}},
	 .reorder = 224,
	 .scheduler = 180,
	 .loads = 44,
	 .stores = 48,
	 .forward_cycles = 7,
	 .mispredict_cycles = 16,
	 .traits = CORE_AMD | CORE_STAYS_DECODING | CORE_ONE_JUMP_WRITES | CORE_MOVES_GENERAL |
		   CORE_MOVES_VECTOR | CORE_FUSES_CMP_ONLY | CORE_RENAMES_MEMORY},
	{.name = "zen3",
	 ZEN,
	 .blocked_cycles = 14,
	 .cache_width = 8,
	 .cache_ways = 8,
	 .cache_line = 8,
	 .entries = {{7, 15, 15, 15}, {8, 3, 5, 15}},
	 .reorder = 256,
	 .scheduler = 208,
	 .loads = 72,
	 .stores = 64,
	 .forward_cycles = 6,
	 .forward_vector_cycles = 9,
	 .mispredict_cycles = 13,
	 .traits = CORE_AMD | CORE_STAYS_DECODING | CORE_ONE_JUMP_WRITES | CORE_MOVES_GENERAL |
		   CORE_MOVES_VECTOR | CORE_RENAMES_STACK | CORE_PREDICTS_FORWARDS},
	{.name = "zen4",
	 ZEN,
	 .blocked_cycles = 17,
	 .blocked_vector_cycles = 19,
	 .alus = 4,
	 .accesses = 4,
	 .double_shifts = 7,
	 .cache_width = 9,
	 .cache_ways = 12,
	 .cache_line = 9,
	 .entries = {{7, 15, 15, 15}, {8, 4, 15, 4}, {9, 3, 5, 1}},
	 .reorder = 320,
	 .scheduler = 96,
	 .loads = 136,
	 .stores = 64,
	 .forward_cycles = 6,
	 .renamed_stores = 11,
	 .renamed_stack_stores = 16,
	 .forward_vector_cycles = 9,
	 .near_targets = 2048,
	 .far_targets = 8192,
	 .decoded_target_cycles = 12,
	 .moved_target_cycles = 1,
	 .return_cycles = 2,
	 .mispredict_cycles = 17,
	 .traits = CORE_AMD | CORE_MOVES_GENERAL | CORE_MOVES_VECTOR | CORE_RENAMES_MEMORY |
		   CORE_WHOLE_FORWARDS | CORE_SPLITS},
};

const struct core_shape *core_shape(const char *name)
{
	for (size_t i = 0; i < sizeof(shapes) / sizeof(*shapes); i++)
		if (!strcmp(shapes[i].name, name))
			return &shapes[i];
	return NULL;
}
