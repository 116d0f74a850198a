// SPDX-License-Identifier: BSD-2-Clause
/* madt.c - see madt.h. Nothing of the table is believed that does not fit into its length. */
#include "arch/x86/smp/madt.h"

#include "arch/x86/dev/acpi.h"
#include "lib/string.h"

#include <stdbool.h>

enum { MADT_LOCAL_APIC = 0, MADT_LOCAL_X2APIC = 9 };

#define MADT_ENABLED   1u
#define MADT_NO_APIC   0xffu /* the id of an entry that stands for no CPU */
#define MADT_NO_X2APIC 0xffffffffu

struct madt {
	struct acpi_header header;
	uint32_t local_apic, flags;
	uint8_t entries[];
};
_Static_assert(offsetof(struct madt, entries) == 44, "MADT");

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

struct ids {
	uint32_t *id;
	size_t n, room;
};

static void add_id(struct ids *ids, uint32_t id)
{
	for (size_t i = 0; i < ids->n; i++)
		if (ids->id[i] == id)
			return;
	if (ids->n < ids->room)
		ids->id[ids->n++] = id;
}

static void add_entry(struct ids *ids, const uint8_t *at, const struct madt_entry *entry)
{
	struct madt_local_apic apic;
	struct madt_local_x2apic x2apic;

	if (entry->type == MADT_LOCAL_APIC && entry->length >= sizeof(apic)) {
		memcpy(&apic, at, sizeof(apic));
		if (apic.flags & MADT_ENABLED && apic.id != MADT_NO_APIC)
			add_id(ids, apic.id);
	} else if (entry->type == MADT_LOCAL_X2APIC && entry->length >= sizeof(x2apic)) {
		memcpy(&x2apic, at, sizeof(x2apic));
		if (x2apic.flags & MADT_ENABLED && x2apic.id != MADT_NO_X2APIC)
			add_id(ids, x2apic.id);
	}
}

size_t madt_apic_ids(uint32_t *ids, size_t room)
{
	const struct madt *madt = (const struct madt *)acpi_find("APIC", 0);
	struct ids found = {ids, 0, room};
	const uint8_t *at, *end;
	struct madt_entry entry;

	if (!madt || madt->header.length < sizeof(*madt))
		return 0;
	end = (const uint8_t *)madt + madt->header.length;
	for (at = madt->entries; (size_t)(end - at) >= sizeof(entry); at += entry.length) {
		memcpy(&entry, at, sizeof(entry));
		if (entry.length < sizeof(entry) || entry.length > end - at)
			break;
		add_entry(&found, at, &entry);
	}
	return found.n;
}
