// SPDX-License-Identifier: BSD-2-Clause
/* pci.c - see pci.h. Registers: PCI Local Bus Specification 3.0, "Configuration Space". */
#include "arch/x86/dev/pci.h"

#include "arch/x86/insn.h"

#define PORT_ADDRESS 0xcf8
#define PORT_DATA    0xcfc
#define ENABLE       (1u << 31)

#define BUSES     256
#define SLOTS     32
#define FUNCTIONS 8

#define REG_ID      0x00 /* low half: vendor; high half: device */
#define REG_COMMAND 0x04
#define REG_CLASS   0x08 /* revision, interface, subclass, base class */
#define REG_HEADER  0x0c /* 23:16: the header's type */
#define REG_BAR     0x10
#define REG_BUSES   0x18 /* of a bridge: bits 15:8 are the secondary bus */
#define REG_LINE    0x3c /* bits 7:0: the interrupt line, set by the firmware */

#define NO_DEVICE       0xffffffffu
#define HEADER_TYPE(v)  ((v) >> 16 & 0x7f)
#define HEADER_BRIDGE   1
#define HEADER_MULTIPLE (1u << 23) /* the device has several functions */
#define DEPTH_MOST      16         /* of nested bridges */

#define COMMAND_PORTS  (1u << 0)
#define COMMAND_MEMORY (1u << 1)
#define COMMAND_MASTER (1u << 2)

#define CLASS_BRIDGE 0x06 /* the base class */

#define BAR_IO      (1u << 0)
#define BAR_TYPE    (3u << 1)
#define BAR_TYPE_64 (2u << 1)
#define BAR_FLAGS   0xfu

static void select_register(const struct pci_device *device, unsigned reg)
{
	outl(PORT_ADDRESS, ENABLE | (uint32_t)device->bus << 16 | (uint32_t)device->slot << 11 |
				   (uint32_t)device->function << 8 | reg);
}

uint32_t pci_read(const struct pci_device *device, unsigned reg)
{
	select_register(device, reg);
	return inl(PORT_DATA);
}

void pci_write(const struct pci_device *device, unsigned reg, uint32_t value)
{
	select_register(device, reg);
	outl(PORT_DATA, value);
}

bool pci_find(uint16_t vendor, uint16_t device, struct pci_device *found)
{
	return pci_find_nth(vendor, device, 0, found);
}

bool pci_find_nth(uint16_t vendor, uint16_t device, unsigned nth, struct pci_device *found)
{
	const uint32_t id = vendor | (uint32_t)device << 16;

	for (unsigned i = 0; i < SLOTS * FUNCTIONS; i++) {
		*found = (struct pci_device){(uint8_t)(i / FUNCTIONS), (uint8_t)(i % FUNCTIONS), 0};
		if (pci_read(found, REG_ID) == id && !nth--)
			return true;
	}
	return false;
}

/* The register's high half is the status, whose bits are cleared by writing ones. Writing zeros
 * keeps them. */
static void enable_device(const struct pci_device *device, uint32_t what)
{
	const uint32_t command = pci_read(device, REG_COMMAND) & 0xffff;

	if (!(command & what))
		pci_write(device, REG_COMMAND, command | what);
}

uint64_t pci_memory_bar(const struct pci_device *device, unsigned bar)
{
	const unsigned reg = REG_BAR + 4 * bar;
	const uint32_t low = pci_read(device, reg);
	uint64_t address = low & ~BAR_FLAGS;

	if (low & BAR_IO)
		return 0;
	if ((low & BAR_TYPE) == BAR_TYPE_64)
		address |= (uint64_t)pci_read(device, reg + 4) << 32;
	if (address)
		enable_device(device, COMMAND_MEMORY);
	return address;
}

void pci_place_memory(const struct pci_device *device, unsigned bar, uint64_t address)
{
	const unsigned reg = REG_BAR + 4 * bar;

	pci_write(device, reg, (uint32_t)address);
	pci_write(device, reg + 4, (uint32_t)(address >> 32));
	enable_device(device, COMMAND_MEMORY);
}

/* --- All buses --- */

struct search {
	bool (*wanted)(const struct search *search, const struct pci_device *device);
	uint16_t class;
	struct pci_device *list;
	unsigned n, room;
	uint64_t seen[BUSES / 64]; /* a bit for each bus that was searched */
};

static void search_bus(struct search *search, uint8_t bus, unsigned depth);

/* Returns false if the function does not exist. */
static bool search_function(struct search *search, const struct pci_device *device, unsigned depth)
{
	uint32_t header;

	if (pci_read(device, REG_ID) == NO_DEVICE)
		return false;
	if (search->n < search->room && search->wanted(search, device))
		search->list[search->n++] = *device;
	header = pci_read(device, REG_HEADER);
	if (HEADER_TYPE(header) == HEADER_BRIDGE && depth < DEPTH_MOST) {
		const uint8_t behind = pci_read(device, REG_BUSES) >> 8 & 0xff;

		search_bus(search, behind, depth + 1);
	}
	return true;
}

static void search_bus(struct search *search, uint8_t bus, unsigned depth)
{
	if (search->seen[bus / 64] >> bus % 64 & 1)
		return;
	search->seen[bus / 64] |= 1ull << bus % 64;
	for (uint8_t slot = 0; slot < SLOTS; slot++) {
		struct pci_device device = {slot, 0, bus};
		bool multiple;

		if (!search_function(search, &device, depth))
			continue;
		multiple = pci_read(&device, REG_HEADER) & HEADER_MULTIPLE;
		for (device.function = 1; multiple && device.function < FUNCTIONS;
		     device.function++)
			search_function(search, &device, depth);
	}
}

/* Servers have several root buses, whose numbers only AML tells: so each number that no bridge has
 * told is tried. */
static unsigned search_all(struct search search)
{
	for (unsigned bus = 0; bus < BUSES; bus++)
		search_bus(&search, (uint8_t)bus, 0);
	return search.n;
}

static bool is_of_class(const struct search *search, const struct pci_device *device)
{
	return pci_read(device, REG_CLASS) >> 16 == search->class;
}

unsigned pci_list_class(uint16_t class, struct pci_device *list, unsigned room)
{
	return search_all(
		(struct search){.wanted = is_of_class, .class = class, .list = list, .room = room});
}

static bool is_master(const struct search *search, const struct pci_device *device)
{
	(void)search;
	return pci_read(device, REG_CLASS) >> 24 != CLASS_BRIDGE &&
	       pci_read(device, REG_COMMAND) & COMMAND_MASTER;
}

unsigned pci_list_masters(struct pci_device *list, unsigned room)
{
	return search_all((struct search){.wanted = is_master, .list = list, .room = room});
}

void pci_end_master(const struct pci_device *device)
{
	pci_write(device, REG_COMMAND, pci_read(device, REG_COMMAND) & 0xffff & ~COMMAND_MASTER);
}

uint8_t pci_interface(const struct pci_device *device)
{
	return pci_read(device, REG_CLASS) >> 8 & 0xff;
}

uint16_t pci_io_bar(const struct pci_device *device, unsigned bar)
{
	const uint32_t value = pci_read(device, REG_BAR + 4 * bar);
	const uint16_t port = value & BAR_IO ? (uint16_t)(value & ~3u) : 0;

	if (port)
		enable_device(device, COMMAND_PORTS);
	return port;
}

uint8_t pci_interrupt_line(const struct pci_device *device)
{
	return pci_read(device, REG_LINE) & 0xff;
}

uint32_t pci_ids(const struct pci_device *device)
{
	return pci_read(device, REG_ID);
}

uint8_t pci_revision(const struct pci_device *device)
{
	return pci_read(device, REG_CLASS) & 0xff;
}
