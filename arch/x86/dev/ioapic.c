// SPDX-License-Identifier: BSD-2-Clause
/*
 * ioapic.c - see ioapic.h. Registers: Intel 82093AA data sheet, "Register Description".
 */
#include "arch/x86/dev/ioapic.h"

#include "arch/x86/dev/acpi.h"
#include "arch/x86/dev/apic.h"
#include "arch/x86/mem/paging.h"
#include "arch/x86/world/world.h"
#include "lib/math.h"

#include <linux/errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MAX_IOAPICS 16
#define NISA        16

#define REG_SELECT   0x00
#define REG_WINDOW   0x10
#define REG_BYTES    0x20
#define REG_VERSION  0x01
#define REG_ENTRY    0x10       /* two words per input */
#define ENTRY_LOW    (1u << 13) /* polarity */
#define ENTRY_LEVEL  (1u << 15)
#define ENTRY_MASKED (1u << 16)

/* ACPI 6.5, "Interrupt Controller Structure Types" and "MPS INTI Flags". */
#define MADT_IOAPIC        1
#define MADT_OVERRIDE      2
#define MADT_BUS_ISA       0
#define INTI_POLARITY      0x3
#define INTI_POLARITY_LOW  0x3
#define INTI_TRIGGER       0xc
#define INTI_TRIGGER_LEVEL 0xc

struct madt {
	struct acpi_header header;
	uint32_t apic_address, flags;
} __attribute__((packed));

struct madt_entry {
	uint8_t type, length;
} __attribute__((packed));

struct madt_ioapic {
	struct madt_entry entry;
	uint8_t id, reserved;
	uint32_t address, gsi_base;
} __attribute__((packed));

struct madt_override {
	struct madt_entry entry;
	uint8_t bus, source;
	uint32_t gsi;
	uint16_t flags;
} __attribute__((packed));

#define INPUTS_MOST 240 /* 8-bit register numbers allow no more */

/* The inputs of one I/O APIC, as two words each. */
struct entries {
	uint32_t low[INPUTS_MOST], high[INPUTS_MOST];
};

/* The redirection entries of the firmware that lends the machine, and those of perf0. */
struct lent_entries {
	struct entries firmwares, ours;
};
_Static_assert(sizeof(struct lent_entries) <= 2 * PAGE_SIZE, "pages of add_ioapic()");

static struct ioapic {
	volatile uint8_t *registers;
	uint32_t gsi_base, inputs;
	struct lent_entries *lent;
} ioapics[MAX_IOAPICS];
static size_t nioapics;

/* The global system interrupt of each ISA interrupt. */
static struct {
	uint32_t gsi;
	uint32_t mode; /* ENTRY_ bits */
} isa[NISA];

static volatile uint32_t *select_register(const struct ioapic *io, uint32_t reg)
{
	*(volatile uint32_t *)(io->registers + REG_SELECT) = reg;
	return (volatile uint32_t *)(io->registers + REG_WINDOW);
}

static uint32_t io_read(const struct ioapic *io, uint32_t reg)
{
	return *select_register(io, reg);
}

static void io_write(const struct ioapic *io, uint32_t reg, uint32_t value)
{
	*select_register(io, reg) = value;
}

static void mask_all(const struct ioapic *io)
{
	for (uint32_t i = 0; i < io->inputs; i++)
		io_write(io, REG_ENTRY + 2 * i, ENTRY_MASKED);
}

static void note_entries(const struct ioapic *io, struct entries *entries)
{
	for (uint32_t i = 0; i < io->inputs; i++) {
		entries->low[i] = io_read(io, REG_ENTRY + 2 * i);
		entries->high[i] = io_read(io, REG_ENTRY + 2 * i + 1);
	}
}

static void put_entries_back(const struct ioapic *io, const struct entries *entries)
{
	mask_all(io);
	for (uint32_t i = 0; i < io->inputs; i++) {
		io_write(io, REG_ENTRY + 2 * i + 1, entries->high[i]);
		io_write(io, REG_ENTRY + 2 * i, entries->low[i]);
	}
}

static void give_ioapics(void)
{
	for (size_t i = 0; i < nioapics; i++) {
		note_entries(&ioapics[i], &ioapics[i].lent->ours);
		put_entries_back(&ioapics[i], &ioapics[i].lent->firmwares);
	}
}

static void take_ioapics(void)
{
	for (size_t i = 0; i < nioapics; i++) {
		note_entries(&ioapics[i], &ioapics[i].lent->firmwares);
		put_entries_back(&ioapics[i], &ioapics[i].lent->ours);
	}
}

static const struct world_device lent_ioapics = {give_ioapics, take_ioapics};

/* Returns false if memory for the firmware's entries is missing. */
static bool note_firmwares_entries(struct ioapic *io)
{
	if (!world_is_given_back())
		return true;
	io->lent = page_alloc(pages_of(sizeof(*io->lent)));
	if (io->lent)
		note_entries(io, &io->lent->firmwares);
	return io->lent;
}

static void add_ioapic(const struct madt_entry *entry)
{
	const struct madt_ioapic *m = (const struct madt_ioapic *)entry;
	struct ioapic *io = &ioapics[nioapics];

	if (m->entry.length < sizeof(*m) || nioapics == MAX_IOAPICS)
		return;
	io->registers = paging_map_mmio(m->address, REG_BYTES);
	if (!io->registers)
		return;
	io->gsi_base = m->gsi_base;
	io->inputs = (uint32_t)least_of((io_read(io, REG_VERSION) >> 16 & 0xff) + 1, INPUTS_MOST);
	if (!note_firmwares_entries(io))
		return;
	mask_all(io);
	nioapics++;
}

static void add_override(const struct madt_entry *entry)
{
	const struct madt_override *m = (const struct madt_override *)entry;

	if (m->entry.length < sizeof(*m) || m->bus != MADT_BUS_ISA || m->source >= NISA)
		return;
	isa[m->source].gsi = m->gsi;
	isa[m->source].mode = ((m->flags & INTI_POLARITY) == INTI_POLARITY_LOW ? ENTRY_LOW : 0) |
			      ((m->flags & INTI_TRIGGER) == INTI_TRIGGER_LEVEL ? ENTRY_LEVEL : 0);
}

static void read_madt(const struct madt *madt)
{
	const uint8_t *p = (const uint8_t *)(madt + 1);
	const uint8_t *end = (const uint8_t *)madt + madt->header.length;

	while (end - p >= (ptrdiff_t)sizeof(struct madt_entry)) {
		const struct madt_entry *entry = (const struct madt_entry *)p;

		if (entry->length < sizeof(*entry) || entry->length > end - p)
			return;
		if (entry->type == MADT_IOAPIC)
			add_ioapic(entry);
		else if (entry->type == MADT_OVERRIDE)
			add_override(entry);
		p += entry->length;
	}
}

int ioapic_init(void)
{
	const struct madt *madt = (const struct madt *)acpi_find("APIC", 0);

	for (uint32_t i = 0; i < NISA; i++)
		isa[i].gsi = i;
	if (madt && madt->header.length >= sizeof(*madt))
		read_madt(madt);
	world_lend_device(&lent_ioapics);
	return nioapics ? 0 : -ENODEV;
}

/* Returns false if no I/O APIC has this input. */
static bool set_entry(uint32_t gsi, uint32_t high, uint32_t low)
{
	for (size_t i = 0; i < nioapics; i++) {
		const struct ioapic *io = &ioapics[i];
		const uint32_t input = gsi - io->gsi_base;

		if (input >= io->inputs)
			continue;
		io_write(io, REG_ENTRY + 2 * input + 1, high);
		io_write(io, REG_ENTRY + 2 * input, low);
		return true;
	}
	return false;
}

static int route_input(uint32_t gsi, uint32_t mode, unsigned vector)
{
	return set_entry(gsi, apic_id() << 24, mode | vector) ? 0 : -ENODEV;
}

int ioapic_route_isa(unsigned irq, unsigned vector)
{
	return irq < NISA ? route_input(isa[irq].gsi, isa[irq].mode, vector) : -ENODEV;
}

void ioapic_unroute_isa(unsigned irq)
{
	if (irq < NISA)
		set_entry(isa[irq].gsi, 0, ENTRY_MASKED);
}

int ioapic_route_global(unsigned gsi, unsigned vector)
{
	return route_input(gsi, gsi < NISA ? 0 : ENTRY_LEVEL | ENTRY_LOW, vector);
}

void ioapic_unroute_global(unsigned gsi)
{
	set_entry(gsi, 0, ENTRY_MASKED);
}
