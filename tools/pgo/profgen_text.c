// SPDX-License-Identifier: BSD-2-Clause
/*
 * profgen_text.c - see profgen_text.h. A range ends where the count changes, so that each
 * instruction gets its own count.
 */
#include "tools/pgo/profgen_text.h"

#include <inttypes.h>

/* Returns the number of instructions from the first on that follow each other with one count. */
static size_t range_length(const struct executed_insn *insn, size_t n)
{
	size_t i = 1;

	while (i < n && insn[i].address == insn[i - 1].address + insn[i - 1].bytes &&
	       insn[i].count == insn[0].count)
		i++;
	return i;
}

static size_t add_ranges(struct buf *out, const struct executed *e, uint64_t base)
{
	size_t ranges = 0, n;

	for (size_t i = 0; i < e->ninsns; i += n) {
		n = range_length(&e->insn[i], e->ninsns - i);
		if (!e->insn[i].count)
			continue;
		buf_printf(out, "%" PRIx64 "-%" PRIx64 ":%" PRIu64 "\n", e->insn[i].address - base,
			   e->insn[i + n - 1].address - base, e->insn[i].count);
		ranges++;
	}
	return ranges;
}

static size_t add_taken(struct buf *out, const struct executed *e, uint64_t base)
{
	size_t taken = 0;

	for (size_t i = 0; i < e->nbranches; i++) {
		const struct executed_branch *b = &e->branch[i];

		if (b->from_outside || b->to_outside || !executed_is_taken(b))
			continue;
		buf_printf(out, "%" PRIx64 "->%" PRIx64 ":%" PRIu64 "\n", b->from - base,
			   b->to - base, b->count);
		taken++;
	}
	return taken;
}

static void add_range_part(struct buf *out, size_t n, struct buf *lines)
{
	buf_printf(out, "%zu\n", n);
	buf_add(out, lines->data, lines->size);
	buf_free(lines);
}

static void add_parts(struct buf *out, const struct executed *e, uint64_t base, const char *between)
{
	struct buf ranges = {0}, taken = {0};
	size_t n = add_ranges(&ranges, e, base);

	add_range_part(out, n, &ranges);
	buf_printf(out, "%s", between);
	n = add_taken(&taken, e, base);
	add_range_part(out, n, &taken);
}

void profgen_text(struct buf *out, const struct executed *e, uint64_t base)
{
	add_parts(out, e, base, "");
}

void autofdo_text(struct buf *out, const struct executed *e, uint64_t base)
{
	add_parts(out, e, base, "0\n");
}
