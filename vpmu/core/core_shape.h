/* SPDX-License-Identifier: BSD-2-Clause */
/* core_shape.h - what a core has around its execution units, as rows: front end, widths, buffers.
 * Sources are in core_shape.c. */
#ifndef VPMU_CORE_CORE_SHAPE_H
#define VPMU_CORE_CORE_SHAPE_H

#include <stdint.h>

enum core_traits {
	CORE_JCC_ERRATUM = 1,  /* a jump that ends a 32-byte window keeps it out of the op cache */
	CORE_BOTH_WINDOWS = 2, /* both windows of 32 bytes of a line are in the op cache, or none */
	CORE_FAST_POINTER = 4, /* a chain of loads by base and displacement is a cycle faster */
	CORE_MOVES_GENERAL = 8,    /* eliminates moves of general registers */
	CORE_MOVES_VECTOR = 16,    /* of vector registers */
	CORE_UNLAMINATES_ALL = 32, /* every micro-fused operation with an index is split */
	CORE_UNLAMINATES = 64,     /* those with three operands are */
	CORE_FUSES_CMP_ONLY = 256, /* CMP and TEST fuse with jumps, arithmetic does not */
	CORE_POPCNT_WAITS = 512,   /* POPCNT waits for its destination */
	CORE_TZCNT_WAITS = 1024,   /* so do LZCNT and TZCNT */
	CORE_RENAMES_MEMORY =
		2048, /* a load by the same address registers gets a store's register */
	CORE_SPECIAL_STORE = 4096, /* one unit of store addresses takes no index */
	CORE_PREDICTS_FORWARDS =
		32768,              /* a load that had its data from a store is expected to again */
	CORE_RENAMES_STACK = 16384, /* as before, for addresses by RSP and a displacement alone */
	CORE_WHOLE_FORWARDS =
		65536, /* only whole registers are renamed or expected, by equal addresses */
	CORE_STAYS_DECODING =
		131072, /* only at a taken branch does the op cache take over from decoders */
	CORE_ONE_JUMP_WRITES =
		262144, /* one unit takes all fused jumps that write a general register */
	CORE_PAIRS_STORES = 1048576,     /* two stores to one line are written in a cycle */
	CORE_FUSIBLE_NOT_LAST = 2097152, /* the last decoder takes none that may fuse with a jump */
	CORE_WINDOW_ONCE = 4194304,      /* the op cache delivers no window twice in a cycle */
	CORE_SPLITS = 524288, /* a load across two lines takes its unit twice, and a cycle more; a
			       * store is written in parts of 32 bytes */
	CORE_AMD = 8192,      /* decodes without a predecoder; instructions of two are fast path */
};

/* Parts that take one request every few cycles. */
enum core_lane {
	CORE_LANE_STLB, /* the second TLB */
	CORE_LANE_L2,   /* each level that sends lines */
	CORE_LANE_LLC,
	CORE_LANE_LLC_AHEAD, /* its lines that L2's prefetchers ask for */
	CORE_LANE_MEMORY,
	CORE_LANES
};

/* Numbers of CORE_ENTRY_FIELD bits, by which an entry of AMD's op cache is full. */
#define CORE_ENTRY_FIELD 8
enum core_entry_fields {
	CORE_ENTRY_OPS,
	CORE_ENTRY_WIDE,   /* immediates and displacements of more than 8 bits; one of 64 is two */
	CORE_ENTRY_VALUES, /* all of them */
	CORE_ENTRY_EVEX,   /* instructions with that prefix */
	CORE_ENTRY_FIELDS
};
#define CORE_ENTRY_ROWS 3

struct core_shape {
	const char *name;
	uint8_t width;          /* micro-operations renamed each cycle */
	uint8_t alus, accesses; /* operations of ALUs, and accesses, among them; 0: no limit */
	uint8_t double_shifts;  /* slots of SHLD and SHRD in rename; 0: as many as they have */
	uint8_t retires;        /* retired */
	uint8_t fetch_bytes;    /* that the predecoder takes each cycle */
	uint8_t predecodes;     /* instructions that it marks each cycle */
	uint8_t decoders;
	uint8_t decoded;     /* micro-operations of them all in a cycle; 0: no limit */
	uint8_t queue;       /* instructions between predecoder and decoders */
	uint8_t cache_width; /* micro-operations from the op cache each cycle */
	uint8_t cache_ways, cache_line,
		cache_lines; /* ways of a set; uops a line, lines a window */
	uint16_t cache_sets;
	uint8_t cache_window; /* bytes */
	/* The most that an entry of the op cache holds (enum core_entry_fields), if it has so many
	 * micro-operations or fewer; 0 ends them. Only AMD's are known. */
	uint8_t entries[CORE_ENTRY_ROWS][CORE_ENTRY_FIELDS];
	uint8_t loop;       /* micro-operations of a loop that its buffer holds; 0: none */
	uint8_t loop_twice; /* of the longest loop that it holds twice */
	uint8_t loop_most;  /* times that it holds a short one */
	uint32_t alu_units; /* that take what the stack engine adds to the stack pointer */
	uint8_t buffer;     /* micro-operations between decoders and rename */
	uint16_t reorder, scheduler, loads, stores;
	uint8_t forward_cycles;        /* from a store's data to a load's of the same address */
	uint8_t forward_vector_cycles; /* to a vector register, if that is another number */
	/* CORE_WHOLE_FORWARDS: the last stores whose registers a load can get, by other registers
	 * and by RSP. */
	uint8_t renamed_stores, renamed_stack_stores;
	uint8_t blocked_cycles; /* from a store's retirement to a load that it cannot forward to */
	uint8_t blocked_vector_cycles; /* to a vector register, if that is another number */
	/* From a mispredicted branch's execution to that of the first instruction behind it. */
	uint8_t mispredict_cycles;
	/* Branches whose targets are there at once, and a cycle later; 0: all are. */
	uint16_t near_targets, far_targets;
	uint8_t decoded_target_cycles;   /* of others, which the decoders find */
	uint8_t moved_target_cycles;     /* of a branch that went elsewhere the last time */
	uint8_t return_cycles;           /* of a RET, beyond those of another taken branch */
	uint32_t traits;                 /* enum core_traits */
	uint8_t fills;                   /* lines under way to L1; 0: no limit */
	uint8_t lane_cycles[CORE_LANES]; /* between two requests; 0: no limit */
	uint8_t walkers;                 /* walks of page tables at a time; 0: no limit */
};

const struct core_shape *core_shape(const char *name);

#endif
