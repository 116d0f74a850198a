/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * profile_requests.h - Valgrind's client requests (valgrind.h), by which a program says what of it
 * is counted: a sequence of instructions that does nothing, with the address of six words in RAX.
 *
 * Plugins of QEMU 7.2 see no registers. So the six words are found among the last ones that the
 * task has stored. Only stores close to such a sequence have callbacks. A program that keeps its
 * words in constant memory, or stores them far away, is not understood; the profile says so.
 */
#ifndef VPMU_PLUGIN_PROFILE_REQUESTS_H
#define VPMU_PLUGIN_PROFILE_REQUESTS_H

#include <stddef.h>
#include <stdint.h>

#include "vpmu/plugin/insn_counts.h"
#include "vpmu/plugin/qemu_api.h"

#define STORED_WORDS 32u

/* The last words that a task has stored, in a ring. */
struct stored_words {
	struct {
		uint64_t va;
		const uint64_t *word; /* in QEMU's memory */
	} last[STORED_WORDS];
	unsigned next;
};

/* requests_attach_block() - attaches callbacks to the profiled block that is being translated.
 * `ram` is QEMU's address of physical 0. Before anything is counted. */
void requests_attach_block(const struct qemu_plugin_tb *block, struct decoded *decoded, size_t n,
			   uint64_t ram);

#endif
