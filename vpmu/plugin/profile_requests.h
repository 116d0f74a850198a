/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * profile_requests.h - Valgrind's client requests (valgrind.h), by which a program says what of it
 * is counted: a sequence of instructions that does nothing, with the address of six words in RAX.
 * Valgrind puts the result into RDX.
 *
 * A vCPU's registers are known at the start of a block alone. So a block with such a sequence is
 * left before it runs, and is executed in blocks of one instruction.
 */
#ifndef VPMU_PLUGIN_PROFILE_REQUESTS_H
#define VPMU_PLUGIN_PROFILE_REQUESTS_H

#include <stddef.h>

#include "vpmu/plugin/insn_counts.h"
#include "vpmu/plugin/qemu_api.h"

/* requests_begin() - after profile_begin(). */
void requests_begin(unsigned vcpus);

/* requests_attach_block() - attaches callbacks to the profiled block that is being translated.
 * Before all other callbacks: the block may be left. */
void requests_attach_block(const struct qemu_plugin_tb *block, const struct decoded *decoded,
			   size_t n);

#endif
