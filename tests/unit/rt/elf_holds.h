/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * elf_holds.h - invariants of every file that elf_read() accepts, for the unit test and the fuzzer.
 */
#ifndef TESTS_UNIT_RT_ELF_HOLDS_H
#define TESTS_UNIT_RT_ELF_HOLDS_H

#include "include/perf0/layout.h"
#include "linux/portable/elf.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define ELF_LOW  USER_PIE
#define ELF_HIGH (USER_PIE + (32ull << 30))

static inline bool elf_read_memory(void *arg, uint64_t offset, void *to, size_t n)
{
	memcpy(to, (const uint8_t *)arg + offset, n);
	return true;
}

/* A file in memory, which must remain valid as long as the source is used. */
static inline struct elf_source elf_memory(const void *file, size_t bytes)
{
	return (struct elf_source){elf_read_memory, (void *)(uintptr_t)file, bytes};
}

static inline bool elf_segment_holds(const struct elf *e, unsigned n)
{
	const struct elf_segment *s = &e->segment[n];

	if (s->address % RING3_PAGE || s->bytes % RING3_PAGE || !s->bytes || s->skip >= RING3_PAGE)
		return false;
	if (s->address < ELF_LOW || s->bytes > ELF_HIGH - s->address)
		return false;
	if (s->offset > e->file.bytes || s->filed > e->file.bytes - s->offset ||
	    s->skip + s->filed > s->bytes)
		return false;
	if (s->prot & ELF_WRITE && s->prot & ELF_EXEC)
		return false;
	for (unsigned i = 0; i < n; i++)
		if (s->address < e->segment[i].address + e->segment[i].bytes &&
		    e->segment[i].address < s->address + s->bytes)
			return false;
	return true;
}

static inline bool elf_holds(struct elf *e)
{
	const uint8_t *file = e->file.arg;
	volatile uint8_t last = 0;
	bool starts_in_code = false;

	if (!e->nsegments || e->nsegments > ELF_SEGMENTS)
		return false;
	for (unsigned i = 0; i < e->nsegments; i++) {
		const struct elf_segment *s = &e->segment[i];

		if (!elf_segment_holds(e, i))
			return false;
		if (s->filed) /* under a sanitizer: it is there */
			last = file[s->offset] ^ file[s->offset + s->filed - 1];
		starts_in_code |= s->prot & ELF_EXEC && e->entry >= s->address &&
				  e->entry - s->address < s->bytes;
	}
	(void)last;
	return starts_in_code && strnlen(e->interpreter, ELF_INTERPRETER) < ELF_INTERPRETER;
}

#endif
