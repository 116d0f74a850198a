// SPDX-License-Identifier: BSD-2-Clause
/* jitdump.c - see jitdump.h. Structures are laid out as the specification has them. */
#include "tools/symbols/jitdump.h"

#include <errno.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define JITDUMP_MAGIC   0x4A695444u
#define JITDUMP_VERSION 1

enum jitdump_record_id { JIT_CODE_LOAD, JIT_CODE_MOVE, JIT_CODE_DEBUG_INFO, JIT_CODE_CLOSE };

struct jitdump_header {
	uint32_t magic, version, total_size, elf_mach, pad, pid;
	uint64_t timestamp, flags;
};

struct jitdump_record {
	uint32_t id, total_size; /* of the whole record, in bytes */
	uint64_t timestamp;
};

/* The function's name follows, and a zero; then its code. */
struct jitdump_load {
	uint32_t pid, tid;
	uint64_t vma, code_addr, code_size, code_index;
};

struct jitdump_move {
	uint32_t pid, tid;
	uint64_t vma, old_code_addr, new_code_addr, code_size, code_index;
};

struct jitdump_name {
	uint64_t code_index;
	const char *name;
};

struct jitdump_reader {
	struct buf *map;
	struct buf name; /* struct jitdump_name; sorted before the first move is looked up */
	bool is_sorted;
};

bool jitdump_is(const struct buf *dump)
{
	uint32_t magic;

	if (dump->size < sizeof(magic))
		return false;
	memcpy(&magic, dump->data, sizeof(magic));
	return magic == JITDUMP_MAGIC || magic == __builtin_bswap32(JITDUMP_MAGIC);
}

static int compare_code_indices(const void *a, const void *b)
{
	const struct jitdump_name *x = a, *y = b;

	return (x->code_index > y->code_index) - (x->code_index < y->code_index);
}

/* A line break would end the line of the map. */
static void add_map_line(struct buf *map, uint64_t start, uint64_t size, const char *name)
{
	buf_printf(map, "%" PRIx64 " %" PRIx64 " ", start, size);
	for (; *name; name++)
		buf_add(map, *name == '\n' ? " " : name, 1);
	buf_add(map, "\n", 1);
}

static bool take_load(struct jitdump_reader *reader, const uint8_t *body, size_t size)
{
	struct jitdump_load load;
	const char *name = (const char *)body + sizeof(load);

	if (size < sizeof(load) || !memchr(name, '\0', size - sizeof(load)))
		return false;
	memcpy(&load, body, sizeof(load));
	add_map_line(reader->map, load.code_addr, load.code_size, name);
	buf_add(&reader->name, &(struct jitdump_name){load.code_index, name},
		sizeof(struct jitdump_name));
	reader->is_sorted = false;
	return true;
}

static const struct jitdump_name *find_moved(struct jitdump_reader *reader, uint64_t code_index)
{
	const size_t n = reader->name.size / sizeof(struct jitdump_name);
	const struct jitdump_name key = {code_index, NULL};

	if (n && !reader->is_sorted)
		qsort(reader->name.data, n, sizeof(key), compare_code_indices);
	reader->is_sorted = true;
	return n ? bsearch(&key, reader->name.data, n, sizeof(key), compare_code_indices) : NULL;
}

/* A function that was never loaded has no name, so its move is skipped. */
static bool take_move(struct jitdump_reader *reader, const uint8_t *body, size_t size)
{
	const struct jitdump_name *moved;
	struct jitdump_move move;

	if (size < sizeof(move))
		return false;
	memcpy(&move, body, sizeof(move));
	moved = find_moved(reader, move.code_index);
	if (moved)
		add_map_line(reader->map, move.new_code_addr, move.code_size, moved->name);
	return true;
}

static bool take_jit_record(struct jitdump_reader *reader, uint32_t id, const uint8_t *body,
			    size_t size)
{
	if (id == JIT_CODE_LOAD)
		return take_load(reader, body, size);
	return id != JIT_CODE_MOVE || take_move(reader, body, size);
}

static int take_jit_records(struct jitdump_reader *reader, const struct buf *dump, size_t at,
			    struct reason *why)
{
	struct jitdump_record record;

	for (; dump->size - at >= sizeof(record); at += record.total_size) {
		memcpy(&record, dump->data + at, sizeof(record));
		if (record.id == JIT_CODE_CLOSE)
			return 0;
		if (record.total_size < sizeof(record))
			return refuse(why, EINVAL, "a record of %u bytes at %zu", record.total_size,
				      at);
		if (record.total_size > dump->size - at)
			return 0;
		if (!take_jit_record(reader, record.id, dump->data + at + sizeof(record),
				     record.total_size - sizeof(record)))
			return refuse(why, EINVAL, "an incomplete record at %zu", at);
	}
	return 0;
}

int jitdump_to_perfmap(struct buf *map, const struct buf *dump, struct reason *why)
{
	struct jitdump_reader reader = {.map = map};
	struct jitdump_header header;
	int err;

	if (dump->size < sizeof(header))
		return refuse(why, EINVAL, "an incomplete header");
	memcpy(&header, dump->data, sizeof(header));
	if (header.magic != JITDUMP_MAGIC)
		return refuse(why, EINVAL, "a jitdump of another byte order");
	if (header.version != JITDUMP_VERSION)
		return refuse(why, EINVAL, "version %u of jitdump, known is %u", header.version,
			      JITDUMP_VERSION);
	if (header.total_size < sizeof(header) || header.total_size > dump->size)
		return refuse(why, EINVAL, "a header of %u bytes", header.total_size);
	err = take_jit_records(&reader, dump, header.total_size, why);
	buf_free(&reader.name);
	return err;
}
