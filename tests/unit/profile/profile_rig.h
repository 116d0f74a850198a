/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * profile_rig.h - a program for tests of profiles, and what a plugin would write about it. The
 * instructions of the pieces are made up: each has one byte.
 */
#ifndef TESTS_UNIT_PROFILE_PROFILE_RIG_H
#define TESTS_UNIT_PROFILE_PROFILE_RIG_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "tests/unit/test.h"

#include "tools/profile/profile_fold.h"

/* The costs in the files: instructions, iterations, and instructions of ring 0. */
enum { RIG_INSTRUCTIONS, RIG_ITERATIONS, RIG_KERNEL, RIG_COSTS };

static const struct profile_event rig_event[] = {
	{"instructions:u", {EVENTS_INSTRUCTIONS + 1, -(EVENTS_REP_ITERATIONS + 1)}, true, false},
	{"instructions:k", {EVENTS_INSTRUCTIONS + 1}, false, true},
};

struct profile_rig {
	char folder[32];
	struct code_map map;
	struct profile_file *file;
	struct profile profile;
};

static inline void rig_shell(const struct profile_rig *rig, const char *line)
{
	struct buf command = {0};

	buf_printf(&command, "cd %s && { %s; } >log 2>&1", rig->folder, line);
	if (system(buf_text(&command)))
		fail_msg("failed: %s", line);
	buf_free(&command);
}

static inline void rig_write(const struct profile_rig *rig, const char *name, const char *text)
{
	char path[64];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", rig->folder, name);
	file = fopen(path, "we");
	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

static inline void rig_begin(struct profile_rig *rig)
{
	memset(rig, 0, sizeof(*rig));
	strcpy(rig->folder, "/tmp/perf0-profile-XXXXXX");
	assert_non_null(mkdtemp(rig->folder));
	rig->file = mmap(NULL, sizeof(*rig->file), PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	assert_ptr_not_equal(rig->file, MAP_FAILED);
	memcpy(rig->file->header.magic, PROFILE_MAGIC, 8);
	rig->file->header.version = PROFILE_VERSION;
	rig->file->header.ncosts = RIG_COSTS;
	rig->file->header.cost[RIG_INSTRUCTIONS] = EVENTS_INSTRUCTIONS;
	rig->file->header.cost[RIG_ITERATIONS] = EVENTS_REP_ITERATIONS;
	rig->file->header.cost[RIG_KERNEL] = EVENTS_INSTRUCTIONS | PROFILE_RING0;
}

static inline void rig_end(struct profile_rig *rig)
{
	struct buf command = {0};

	profile_free(&rig->profile);
	code_map_free(&rig->map);
	munmap(rig->file, sizeof(*rig->file));
	buf_printf(&command, "rm -rf %s", rig->folder);
	assert_int_equal(system(buf_text(&command)), 0);
	buf_free(&command);
}

/* Adds the file `name` of the folder, which the image knows as `/name`. */
static inline const struct code_object *rig_add(struct profile_rig *rig, const char *name)
{
	char host[64], path[64];
	struct reason why;

	snprintf(host, sizeof(host), "%s/%s", rig->folder, name);
	snprintf(path, sizeof(path), "/%s", name);
	if (code_map_add(&rig->map, path, host, &why))
		fail_msg("%s", why.text);
	return &rig->map.object[rig->map.n - 1];
}

static inline void rig_write_map(struct profile_rig *rig)
{
	struct reason why;

	assert_int_equal(code_map_write(&rig->map, rig->file, &why), 0);
}

/* Returns the number of a function of the first file. */
static inline uint32_t rig_number(const struct profile_rig *rig, const char *name)
{
	const struct code_object *object = &rig->map.object[0];

	for (size_t i = 0; i < code_object_symbols(object); i++)
		if (!strcmp(code_symbol_name(object, code_object_symbol(object, i)), name))
			return (uint32_t)i + 1;
	fail_msg("no function %s", name);
	return 0;
}

static inline uint64_t rig_address(const struct profile_rig *rig, const char *name)
{
	return code_object_symbol(&rig->map.object[0], rig_number(rig, name) - 1)->start;
}

/* Adds a piece of `n` instructions, executed `count` times. `object` 0: of no known file. */
static inline struct profile_piece *rig_piece(struct profile_rig *rig, uint32_t object,
					      uint64_t address, unsigned n, uint64_t count)
{
	struct profile_header *header = &rig->file->header;
	struct profile_piece *piece = &rig->file->piece[header->npieces++];

	*piece = (struct profile_piece){.count = count,
					.va = address,
					.address = address,
					.object = object,
					.insn = header->ninsns,
					.bytes = (uint16_t)n,
					.ninsns = (uint8_t)n};
	for (unsigned i = 0; i < n; i++)
		rig->file->insn[header->ninsns++] =
			(struct profile_insn){.bytes = 1, .cost[RIG_INSTRUCTIONS] = 1};
	header->total[RIG_INSTRUCTIONS] += count * n;
	return piece;
}

/* Adds calls from the last instruction of the piece, or the beginning of a task (NULL). */
static inline struct profile_edge *rig_call(struct profile_rig *rig, uint32_t caller,
					    uint32_t callee, const struct profile_piece *piece,
					    uint64_t calls, uint64_t inclusive)
{
	struct profile_edge *edge = &rig->file->edge[rig->file->header.nedges++];

	*edge = (struct profile_edge){.site = piece ? piece->va + piece->bytes - 1 : 0,
				      .caller = caller,
				      .callee = callee,
				      .piece = piece ? (uint32_t)(piece - rig->file->piece) + 1 : 0,
				      .calls = calls,
				      .inclusive[RIG_INSTRUCTIONS] = inclusive};
	rig->file->function[callee].calls += calls;
	return edge;
}

static inline void rig_inclusive(struct profile_rig *rig, uint32_t number, uint64_t inclusive)
{
	rig->file->function[number].inclusive[RIG_INSTRUCTIONS] = inclusive;
}

/* Adds a context; the first is the root. Returns its index. */
static inline uint32_t rig_node(struct profile_rig *rig, uint32_t parent, uint32_t function,
				uint64_t calls, uint64_t self)
{
	struct profile_node *node = &rig->file->node[rig->file->header.nnodes];

	*node = (struct profile_node){.parent = parent,
				      .function = function,
				      .calls = calls,
				      .self[RIG_INSTRUCTIONS] = self};
	return rig->file->header.nnodes++;
}

static inline void rig_fold(struct profile_rig *rig, const struct profile_jit *jit)
{
	struct reason why;

	if (profile_fold(&rig->profile, rig->file, &rig->map, jit, rig_event, 2, &why))
		fail_msg("%s", why.text);
}

/* Returns the row of that name. */
static inline const struct profile_row *rig_row(const struct profile_rig *rig, const char *name)
{
	for (size_t i = 0; i < rig->profile.nrows; i++)
		if (!strcmp(rig->profile.row[i].name, name))
			return &rig->profile.row[i];
	fail_msg("no row %s", name);
	return NULL;
}

/* Checks that the self costs of all functions are the total, and what the plugin counted. */
static inline void rig_check_sums(const struct profile_rig *rig)
{
	struct profile_sum sum = {{0}};

	for (size_t i = 0; i < rig->profile.nrows; i++)
		profile_add(&sum, &rig->profile.row[i].self);
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(sum.of[i], rig->profile.total.of[i]);
		assert_int_equal(sum.of[i], rig->profile.counted.of[i]);
	}
}

#endif
