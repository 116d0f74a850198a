/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * profile_pieces.h - exact profiles (include/perf0/profile_file.h): the pieces of code that ring 3
 * executes, and the functions that they belong to. profile_calls.h has the calls.
 */
#ifndef VPMU_PLUGIN_PROFILE_PIECES_H
#define VPMU_PLUGIN_PROFILE_PIECES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "include/perf0/profile_file.h"
#include "vpmu/plugin/insn_counts.h"
#include "vpmu/plugin/qemu_api.h"
#include "vpmu/plugin/replay_vcpu.h"

/* profile_begin() - maps the file at `path`, which the host has written; false, with a message: it
 * cannot. Without it, the other functions do nothing. */
bool profile_begin(const char *path);

/* profile_file() - the file; NULL: nothing is profiled. */
struct profile_file *profile_file(void);

/* profile_announce() - ring 3 has a task: code below the upper half is ring 3's from now on. */
void profile_announce(void);

/* profile_takes() - code at `va` is profiled. Any thread. */
bool profile_takes(uint64_t va);

/*
 * While a block is translated, which profile_takes(). profile_block(): its instructions, as
 * decoded; `ram` is QEMU's address of physical 0. profile_piece() - the executions of `n`
 * instructions from the first'th on; NULL: no block, or no room.
 */
void profile_block(const struct qemu_plugin_tb *block, const struct decoded *decoded, uint64_t ram);
void profile_block_end(void);
uint64_t *profile_piece(size_t first, size_t n, enum profile_kind kind);

/* profile_piece_of() - the number of a piece, by its executions. */
uint32_t profile_piece_of(const uint64_t *executions);

/* profile_function_of() - the function that an instruction of the block lies in; `*starts`: the
 * instruction is its first. 0: unknown. */
uint32_t profile_function_of(size_t insn, bool *starts);

/* profile_object_of() - the object that an instruction of the block lies in, as struct
 * profile_piece has it, and its `*address` there. */
uint32_t profile_object_of(size_t insn, uint64_t *address);

/* profile_function_at() - the function without a symbol that is called at `va`; 0: no room. */
uint32_t profile_function_at(uint64_t va);

/* profile_append() - appends a part to the file, behind the structure. */
void profile_append(const void *data, size_t bytes);

/* profile_undone() - the instruction at `va` was counted and did not complete. */
void profile_undone(uint64_t va);

/* profile_is_full() - an entry found no room. */
void profile_is_full(void);

#endif
