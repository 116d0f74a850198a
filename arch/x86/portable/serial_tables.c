// SPDX-License-Identifier: BSD-2-Clause
/* serial_tables.c - see serial_tables.h. Fields beyond a table's length are taken as missing. */
#include "arch/x86/portable/serial_tables.h"

#include "lib/printf.h"
#include "lib/string.h"

#include <linux/errno.h>

#define PORT_BAUDS 115200 /* by a divisor of 1 on a PC, whose clock is 1.8432 MHz */
#define CLOCK_BY   16     /* clock ticks per bit */
#define ISA_INPUTS 16

/* ACPI 6.5, "Generic Address Structure (GAS)". */
struct generic_address {
	uint8_t space, bit_width, bit_offset, access_size;
	uint64_t address;
} __attribute__((packed));
#define GAS_MEMORY 0
#define GAS_PORTS  1
#define GAS_DWORD  3

struct spcr {
	uint8_t header[36];
	uint8_t interface, reserved[3];
	struct generic_address at;
	uint8_t interrupt_type, irq;
	uint32_t gsi;
	uint8_t baud, parity, stop_bits, flow, terminal, language;
	uint16_t pci_device, pci_vendor;
	uint8_t pci_bus, pci_slot, pci_function;
	uint32_t pci_flags;
	uint8_t pci_segment;
	uint32_t clock; /* Hz; 0: not reported; before revision 3 reserved */
} __attribute__((packed));
_Static_assert(sizeof(struct spcr) == 80, "SPCR");
#define SPCR_PC_AT  (1u << 0)
#define SPCR_IOAPIC (1u << 1)

struct dbg2 {
	uint8_t header[36];
	uint32_t devices_at, ndevices;
} __attribute__((packed));

struct dbg2_device {
	uint8_t revision;
	uint16_t length;
	uint8_t nregisters;
	uint16_t name_length, name_at, oem_length, oem_at, type, subtype, reserved;
	uint16_t registers_at, sizes_at;
} __attribute__((packed));
_Static_assert(sizeof(struct dbg2_device) == 22, "DBG2: device");
#define DBG2_SERIAL 0x8000

/* Both tables use the same numbers: 16550, 16450, and a 16550 described by its generic address. */
static bool is_16550(unsigned kind)
{
	return kind == 0x00 || kind == 0x01 || kind == 0x12;
}

/* Accepts a 16-bit port, or memory. 32-bit registers are four bytes apart. */
static int read_address(const struct generic_address *at, struct uart_place *place)
{
	const unsigned wide = at->access_size ? at->access_size == GAS_DWORD : at->bit_width >= 32;
	const unsigned apart = at->bit_width >= 16 ? at->bit_width / 8u : 1;

	if (!at->address || at->space > GAS_PORTS ||
	    (at->space == GAS_PORTS && at->address > UINT16_MAX - 7))
		return -ENODEV;
	*place = (struct uart_place){
		.space = at->space == GAS_PORTS ? UART_PORTS : UART_MEMORY,
		.stride = 1,
		.width = 1,
		.base = at->address,
		.clock = at->space == GAS_PORTS ? PORT_BAUDS : 0,
	};
	if (at->space == GAS_PORTS)
		return 0;
	place->width = wide ? 4 : 1;
	place->stride = (uint8_t)(wide && apart < 4 ? 4 : apart);
	return 0;
}

static uint32_t told_baud(uint8_t code)
{
	static const uint32_t bauds[] = {[3] = 9600, [4] = 19200, [6] = 57600, [7] = 115200};

	return code < sizeof(bauds) / sizeof(bauds[0]) ? bauds[code] : 0;
}

static void read_interrupt(const struct spcr *spcr, struct serial_found *found)
{
	found->route = SERIAL_ROUTE_NONE;
	if (spcr->interrupt_type & SPCR_PC_AT && spcr->irq && spcr->irq < ISA_INPUTS) {
		found->route = SERIAL_ROUTE_ISA;
		found->input = spcr->irq;
	} else if (spcr->interrupt_type & SPCR_IOAPIC && spcr->gsi) {
		found->route = SERIAL_ROUTE_GLOBAL;
		found->input = spcr->gsi;
	}
}

int serial_read_spcr(const void *table, size_t n, struct serial_found *found)
{
	const struct spcr *spcr = table;
	const uint8_t revision = n > 8 ? spcr->header[8] : 0;

	if (n < sizeof(*spcr) || !is_16550(spcr->interface))
		return -ENODEV;
	*found = (struct serial_found){.how = "SPCR", .baud = told_baud(spcr->baud)};
	if (read_address(&spcr->at, &found->at))
		return -ENODEV;
	if (revision >= 3 && spcr->clock)
		found->at.clock = spcr->clock / CLOCK_BY;
	read_interrupt(spcr, found);
	fmt_print(found->name, sizeof(found->name), "console");
	return 0;
}

/* Returns false if the device is no serial line, or not a 16550. */
static bool read_device(const uint8_t *bytes, size_t n, struct serial_found *found)
{
	struct dbg2_device device;
	struct generic_address at;

	memcpy(&device, bytes, sizeof(device));
	if (device.type != DBG2_SERIAL || !is_16550(device.subtype) || !device.nregisters ||
	    device.registers_at + sizeof(at) > n)
		return false;
	memcpy(&at, bytes + device.registers_at, sizeof(at));
	*found = (struct serial_found){.how = "DBG2"};
	fmt_print(found->name, sizeof(found->name), "debug port");
	return !read_address(&at, &found->at);
}

unsigned serial_read_dbg2(const void *table, size_t n, struct serial_found *list, unsigned room)
{
	const uint8_t *bytes = table;
	struct dbg2 head;
	unsigned found = 0;
	size_t at;

	if (n < sizeof(head))
		return 0;
	memcpy(&head, table, sizeof(head));
	at = head.devices_at;
	for (uint32_t i = 0; i < head.ndevices && found < room; i++) {
		uint16_t length;

		if (at > n || n - at < sizeof(struct dbg2_device))
			break;
		memcpy(&length, bytes + at + 1, sizeof(length));
		if (length < sizeof(struct dbg2_device) || length > n - at)
			break;
		found += read_device(bytes + at, length, &list[found]);
		at += length;
	}
	return found;
}
