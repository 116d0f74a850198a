// SPDX-License-Identifier: BSD-2-Clause
/* usb.c - see usb.h. */
#include "arch/x86/dev/usb.h"

#include "arch/x86/dev/pci.h"
#include "arch/x86/dev/tsc.h"
#include "arch/x86/insn.h"
#include "arch/x86/mem/paging.h"
#include "arch/x86/world/world.h"
#include "lib/time.h"

#include <stddef.h>
#include <stdint.h>

#define CLASS_USB        0x0c03
#define CONTROLLERS_MOST 16
#define COMMAND_RUN      1u
#define PATIENCE_NS      (20 * NSEC_PER_MS) /* xHCI: 16 ms */
#define UHCI_BAR         4

/* The status bit that says that a controller is halted, by programming interface. */
static const struct kind {
	uint8_t interface;
	uint8_t status_at; /* behind the command */
	uint32_t halted;
} kinds[] = {
	{0x00, 2, 1u << 5},  /* UHCI, words at ports */
	{0x20, 4, 1u << 12}, /* EHCI */
	{0x30, 4, 1u << 0},  /* xHCI */
};

static struct controller {
	const struct kind *kind;
	volatile uint8_t *registers; /* from the command on; NULL: they are at ports */
	uint16_t port;
	bool is_halted; /* by us */
} controllers[CONTROLLERS_MOST];
static unsigned ncontrollers;
static bool wanted;

static uint32_t read_usb(const struct controller *c, unsigned at)
{
	return c->registers ? *(volatile uint32_t *)(c->registers + at)
			    : inw((uint16_t)(c->port + at));
}

static void write_command(const struct controller *c, uint32_t value)
{
	if (c->registers)
		*(volatile uint32_t *)c->registers = value;
	else
		outw(c->port, (uint16_t)value);
}

static bool is_halted(const struct controller *c)
{
	return read_usb(c, c->kind->status_at) & c->kind->halted;
}

/* False: the controller did not change its state in time. */
static bool set_running(struct controller *c, bool run)
{
	const uint32_t command = read_usb(c, 0) & ~COMMAND_RUN;
	const uint64_t from = clock_ns();

	write_command(c, command | (run ? COMMAND_RUN : 0));
	while (is_halted(c) == run)
		if (clock_ns() - from > PATIENCE_NS)
			return false;
	return true;
}

static unsigned halt_all(void)
{
	unsigned failed = 0;

	for (unsigned i = 0; i < ncontrollers; i++) {
		struct controller *c = &controllers[i];

		if (c->is_halted || !(read_usb(c, 0) & COMMAND_RUN))
			continue;
		c->is_halted = true;
		failed += !set_running(c, false);
	}
	return failed;
}

static unsigned start_all(void)
{
	unsigned failed = 0;

	for (unsigned i = 0; i < ncontrollers; i++) {
		if (controllers[i].is_halted)
			failed += !set_running(&controllers[i], true);
		controllers[i].is_halted = false;
	}
	return failed;
}

static void give_usb(void)
{
	start_all();
}

static void take_usb(void)
{
	if (wanted)
		halt_all();
}

static const struct world_device lent_usb = {give_usb, take_usb};

static bool find_registers(const struct pci_device *device, struct controller *c)
{
	volatile uint8_t *capabilities;
	uint64_t address;

	if (c->kind->status_at == 2) {
		c->port = pci_io_bar(device, UHCI_BAR);
		return c->port;
	}
	address = pci_memory_bar(device, 0);
	capabilities = address ? paging_map_mmio(address, PAGE_SIZE) : NULL;
	if (!capabilities)
		return false;
	c->registers = capabilities + *(volatile uint32_t *)capabilities % 256; /* CAPLENGTH */
	return true;
}

static void add_controller(const struct pci_device *device)
{
	struct controller *c = &controllers[ncontrollers];

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		*c = (struct controller){.kind = &kinds[i]};
		if (kinds[i].interface == pci_interface(device) && find_registers(device, c))
			ncontrollers++;
	}
}

unsigned usb_init(void)
{
	struct pci_device list[CONTROLLERS_MOST];
	const unsigned n = pci_list_class(CLASS_USB, list, CONTROLLERS_MOST);

	for (unsigned i = 0; i < n; i++)
		add_controller(&list[i]);
	world_lend_device(&lent_usb);
	return ncontrollers;
}

unsigned usb_halt(bool on)
{
	wanted = on;
	return on ? halt_all() : start_all();
}
