// SPDX-License-Identifier: BSD-2-Clause
/*
 * pt_output.c - writes the bytes of a trace: to a range of physical memory, used as a ring, or to
 * regions that tables list (ToPA). SDM vol. 3, "Intel Processor Trace", "Trace Output", "Table of
 * Physical Addresses (ToPA)", "ToPA Errors".
 */
#include "lib/string.h"
#include "vpmu/model/model_priv.h"
#include "vpmu/model/model_trace.h"

/* IA32_RTIT_OUTPUT_MASK_PTRS: the entry of the table (or the range's size - 1), and the offset in
 * the region. */
#define TABLE_SHIFT       7
#define TABLE_BITS        0xffffff80ull
#define POINTER_SHIFT     32
#define TABLE_ADDRESS     0x000ffffffffff000ull
#define OUTPUT_POINTER(v) ((v) >> POINTER_SHIFT)

/* Bits of a table's entry. */
#define TOPA_END          (1ull << 0) /* the address is the next table's */
#define TOPA_INT          (1ull << 2)
#define TOPA_STOP         (1ull << 4)
#define TOPA_RESERVED     (1ull << 1 | 1ull << 3 | 1ull << 5 | 3ull << 10 | ~((1ull << 52) - 1))
#define TOPA_END_RESERVED (TOPA_RESERVED | TOPA_INT | TOPA_STOP)
#define TOPA_SIZE(entry)  (4096ull << ((entry) >> 6 & 0xf))
#define ENTRY_BYTES       8

struct region {
	uint64_t base, size, flags;
};

static bool is_topa(const struct vpmu_model *m)
{
	return m->pt.ctl & RTIT_TOPA;
}

static void set_pointers(struct vpmu_model *m, uint64_t table, uint64_t pointer)
{
	m->pt.mask_ptrs = (table & TABLE_BITS) | PT_MASK_LOW | pointer << POINTER_SHIFT;
}

static uint64_t entry_address(const struct vpmu_model *m)
{
	return (m->pt.output_base & TABLE_ADDRESS) +
	       (m->pt.mask_ptrs & TABLE_BITS) / (1u << TABLE_SHIFT) * ENTRY_BYTES;
}

static bool read_entry(const struct vpmu_model *m, const struct vpmu_memory *physical,
		       uint64_t *entry)
{
	return physical->read(entry_address(m), entry, sizeof(*entry));
}

static bool is_entry_right(uint64_t entry)
{
	if (entry & TOPA_END)
		return !(entry & TOPA_END_RESERVED);
	return !(entry & TOPA_RESERVED) && !(entry & TABLE_ADDRESS & (TOPA_SIZE(entry) - 1));
}

/* False: the table cannot be used. */
static bool find_topa_region(const struct vpmu_model *m, const struct vpmu_memory *physical,
			     struct region *r)
{
	uint64_t entry;

	if (!read_entry(m, physical, &entry) || !is_entry_right(entry) || entry & TOPA_END)
		return false;
	*r = (struct region){
		.base = entry & TABLE_ADDRESS,
		.size = TOPA_SIZE(entry),
		.flags = entry & (TOPA_INT | TOPA_STOP),
	};
	return OUTPUT_POINTER(m->pt.mask_ptrs) <= r->size;
}

static bool find_region(const struct vpmu_model *m, const struct vpmu_memory *physical,
			struct region *r)
{
	if (is_topa(m))
		return find_topa_region(m, physical, r);
	*r = (struct region){
		.base = m->pt.output_base,
		.size = (m->pt.mask_ptrs & UINT32_MAX) + 1,
	};
	return OUTPUT_POINTER(m->pt.mask_ptrs) < r->size && !(r->base & (r->size - 1));
}

/* An END entry leads to the next table, and is followed at once. */
static bool follow_tables(struct vpmu_model *m, const struct vpmu_memory *physical)
{
	uint64_t entry;

	if (!read_entry(m, physical, &entry) || !is_entry_right(entry))
		return false;
	if (!(entry & TOPA_END))
		return true;
	m->pt.output_base = entry & TABLE_ADDRESS;
	set_pointers(m, 0, 0);
	return read_entry(m, physical, &entry) && is_entry_right(entry) && !(entry & TOPA_END);
}

/* Goes on to the next region; false: there is no valid table. */
static bool leave_region(struct vpmu_model *m, const struct region *r,
			 const struct vpmu_memory *physical)
{
	if (!is_topa(m)) {
		m->pt.mask_ptrs &= UINT32_MAX;
		return true;
	}
	if (r->flags & TOPA_INT) {
		m->regs.global_status |= GLOBAL_STATUS_TOPA_PMI;
		m->pmi.pending |= GLOBAL_STATUS_TOPA_PMI;
	}
	if (r->flags & TOPA_STOP) {
		m->pt.status |= RTIT_STATUS_STOPPED;
		return true;
	}
	set_pointers(m, (m->pt.mask_ptrs & TABLE_BITS) + (1u << TABLE_SHIFT), 0);
	return follow_tables(m, physical);
}

/* Writes as much as fits into the region; returns 0 for an error. */
static unsigned put_part(struct vpmu_model *m, const uint8_t *bytes, unsigned n,
			 const struct vpmu_memory *physical)
{
	struct region r;
	uint64_t pointer, part;

	if ((is_topa(m) && !follow_tables(m, physical)) || !find_region(m, physical, &r))
		return 0;
	pointer = OUTPUT_POINTER(m->pt.mask_ptrs);
	part = r.size - pointer < n ? r.size - pointer : n;
	if (!physical->write(r.base + pointer, bytes, part))
		return 0;
	m->pt.mask_ptrs += part << POINTER_SHIFT;
	if (pointer + part == r.size && !leave_region(m, &r, physical))
		return 0;
	return (unsigned)part;
}

static bool takes_bytes(const struct vpmu_model *m)
{
	return !(m->pt.status & (RTIT_STATUS_ERROR | RTIT_STATUS_STOPPED));
}

void vpmu_pt_put(struct vpmu_model *m, const uint8_t *bytes, unsigned n,
		 const struct vpmu_memory *physical)
{
	while (n && takes_bytes(m)) {
		const unsigned part = put_part(m, bytes, n, physical);

		if (!part)
			m->pt.status |= RTIT_STATUS_ERROR;
		bytes += part;
		n -= part;
	}
}

uint64_t vpmu_pt_room(const struct vpmu_model *m, const struct vpmu_memory *physical)
{
	struct region r;

	if (!is_topa(m) || !takes_bytes(m) || !find_region(m, physical, &r) ||
	    !(r.flags & TOPA_INT))
		return UINT64_MAX;
	return r.size - OUTPUT_POINTER(m->pt.mask_ptrs);
}
