// SPDX-License-Identifier: BSD-2-Clause
/* madt.c - see madt.h. */
#include "arch/x86/portable/madt.h"

#include "lib/string.h"

#include <stdbool.h>

enum { MADT_LOCAL_APIC = 0, MADT_LOCAL_X2APIC = 9 };

#define MADT_HEADER    44 /* bytes before the entries: the table's header, APIC address, flags */
#define MADT_ENABLED   1u
#define MADT_NO_APIC   0xffu /* the id of an entry that stands for no CPU */
#define MADT_NO_X2APIC 0xffffffffu

struct madt_entry {
	uint8_t type, length; /* of the entry, this header included */
};

struct madt_local_apic {
	struct madt_entry entry;
	uint8_t processor, id;
	uint32_t flags;
} __attribute__((packed));
_Static_assert(sizeof(struct madt_local_apic) == 8, "MADT: local APIC");

struct madt_local_x2apic {
	struct madt_entry entry;
	uint16_t reserved;
	uint32_t id, flags, processor;
} __attribute__((packed));
_Static_assert(sizeof(struct madt_local_x2apic) == 16, "MADT: local x2APIC");

/* The rest of the table that has not been read. */
struct cursor {
	const uint8_t *at;
	size_t left;
};

static struct cursor first_entry(const void *madt, size_t bytes)
{
	if (bytes < MADT_HEADER)
		return (struct cursor){NULL, 0};
	return (struct cursor){(const uint8_t *)madt + MADT_HEADER, bytes - MADT_HEADER};
}

/* Returns whether the entry describes an enabled CPU, and stores its APIC id. */
static bool has_cpu(const uint8_t *at, const struct madt_entry *entry, uint32_t *id)
{
	struct madt_local_apic apic;
	struct madt_local_x2apic x2apic;

	if (entry->type == MADT_LOCAL_APIC && entry->length >= sizeof(apic)) {
		memcpy(&apic, at, sizeof(apic));
		*id = apic.id;
		return apic.flags & MADT_ENABLED && apic.id != MADT_NO_APIC;
	}
	if (entry->type == MADT_LOCAL_X2APIC && entry->length >= sizeof(x2apic)) {
		memcpy(&x2apic, at, sizeof(x2apic));
		*id = x2apic.id;
		return x2apic.flags & MADT_ENABLED && x2apic.id != MADT_NO_X2APIC;
	}
	return false;
}

/* Finds the next enabled CPU and moves the cursor behind its entry. False: no more CPUs. */
static bool next_cpu(struct cursor *c, uint32_t *id)
{
	struct madt_entry entry;

	while (c->left >= sizeof(entry)) {
		const uint8_t *at = c->at;

		memcpy(&entry, at, sizeof(entry));
		if (entry.length < sizeof(entry) || entry.length > c->left)
			break;
		c->at += entry.length;
		c->left -= entry.length;
		if (has_cpu(at, &entry, id))
			return true;
	}
	return false;
}

/* Firmware may list a CPU twice: as APIC and as x2APIC. */
static bool is_named_before(struct cursor from, unsigned entries, uint32_t id)
{
	uint32_t other;

	while (entries-- && next_cpu(&from, &other))
		if (other == id)
			return true;
	return false;
}

size_t madt_apic_ids(const void *madt, size_t bytes, uint32_t *ids, size_t room)
{
	const struct cursor first = first_entry(madt, bytes);
	struct cursor c = first;
	size_t n = 0;
	uint32_t id;

	for (unsigned seen = 0; seen < MADT_ENTRIES_MOST && next_cpu(&c, &id); seen++) {
		if (is_named_before(first, seen, id))
			continue;
		if (n < room)
			ids[n] = id;
		n++;
	}
	return n;
}
