// SPDX-License-Identifier: BSD-2-Clause
/* serial_find.c - see serial_find.h. */
#include "arch/x86/dev/serial_find.h"

#include "arch/x86/dev/acpi.h"
#include "arch/x86/dev/apic.h"
#include "arch/x86/dev/ioapic.h"
#include "arch/x86/dev/pci.h"
#include "arch/x86/dev/tsc.h"
#include "arch/x86/mem/paging.h"
#include "arch/x86/portable/serial_tables.h"
#include "lib/printf.h"
#include "lib/string.h"
#include "lib/time.h"

#define PC_BAUDS     115200
#define REGISTERS    8
#define CLASS_SERIAL 0x0700
#define PCI_BARS     6
#define PCI_MOST     8
#define DBG2_MOST    4
#define ISA_INPUTS   16
#define IDLE_MOST    1000
#define PATIENCE_NS  (20 * NSEC_PER_MS) /* what may be in a transmitter goes out meanwhile */

void serial_find_ports(void)
{
	static const struct {
		uint16_t port;
		uint8_t irq;
	} rows[] = {{0x3f8, 4}, {0x2f8, 3}, {0x3e8, 4}, {0x2e8, 3}};

	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct serial_found found = {
			.how = "probed",
			.at = {UART_PORTS, 1, 1, rows[i].port, PC_BAUDS},
			.route = SERIAL_ROUTE_ISA,
			.input = rows[i].irq,
		};

		fmt_print(found.name, sizeof(found.name), "COM%u", i + 1);
		serial_add(&found);
	}
}

static void add_found_line(struct serial_found *found)
{
	if (found->at.space == UART_MEMORY)
		found->at.base = (uintptr_t)paging_map_mmio(found->at.base,
							    (size_t)REGISTERS * found->at.stride);
	if (found->at.base)
		serial_add(found);
}

static void find_in_tables(void)
{
	const struct acpi_header *spcr = acpi_find("SPCR", 0), *dbg2 = acpi_find("DBG2", 0);
	struct serial_found list[DBG2_MOST];
	unsigned n = 0;

	if (spcr && !serial_read_spcr(spcr, spcr->length, &list[0]))
		add_found_line(&list[0]);
	if (dbg2)
		n = serial_read_dbg2(dbg2, dbg2->length, list, DBG2_MOST);
	for (unsigned i = 0; i < n; i++)
		add_found_line(&list[i]);
}

static void add_pci_line(const struct pci_device *device, struct uart_place at)
{
	struct serial_found found = {.how = "PCI", .at = at, .input = pci_interrupt_line(device)};

	if (found.input && found.input < ISA_INPUTS)
		found.route = SERIAL_ROUTE_ISA;
	fmt_print(found.name, sizeof(found.name), SERIAL_PCI_NAME, device->bus, device->slot,
		  device->function);
	add_found_line(&found);
}

/* A card has ports for each of its lines. A card without ports has one line, in memory. */
static void find_on_card(const struct pci_device *device)
{
	uint64_t memory;
	bool has_ports = false;

	for (unsigned bar = 0; bar < PCI_BARS; bar++) {
		const uint16_t port = pci_io_bar(device, bar);

		if (!port)
			continue;
		has_ports = true;
		add_pci_line(device, (struct uart_place){UART_PORTS, 1, 1, port, PC_BAUDS});
	}
	memory = has_ports ? 0 : pci_memory_bar(device, 0);
	if (memory)
		add_pci_line(device, (struct uart_place){UART_MEMORY, 1, 1, memory, PC_BAUDS});
}

void serial_find_more(void)
{
	struct pci_device cards[PCI_MOST];
	const unsigned n = pci_list_class(CLASS_SERIAL, cards, PCI_MOST);

	find_in_tables();
	for (unsigned i = 0; i < n; i++)
		find_on_card(&cards[i]);
}

/* --- Interrupts --- */

/* Two lines cannot share an input: it has one vector, and their edges would hide each other. */
static bool is_input_taken(unsigned i)
{
	const struct serial_found *wanted = &serial_at(i)->found;

	for (unsigned k = 0; k < i; k++) {
		const struct serial_line *line = serial_at(k);

		if (line->interrupts && line->found.input == wanted->input)
			return true;
	}
	return false;
}

static int route_line(const struct serial_found *found, unsigned vector)
{
	return found->route == SERIAL_ROUTE_ISA ? ioapic_route_isa(found->input, vector)
						: ioapic_route_global(found->input, vector);
}

static void unroute_line(const struct serial_found *found)
{
	if (found->route == SERIAL_ROUTE_ISA)
		ioapic_unroute_isa(found->input);
	else
		ioapic_unroute_global(found->input);
}

static bool does_interrupt_come(struct serial_line *line, unsigned vector)
{
	const uint64_t from = clock_ns();

	uart_interrupt(&line->uart, UART_INTERRUPT_NOW);
	while (!apic_is_requested(vector))
		if (clock_ns() - from > PATIENCE_NS)
			return false;
	return true;
}

static bool has_interrupt(unsigned i, unsigned vector)
{
	struct serial_line *line = serial_at(i);

	if (line->found.route == SERIAL_ROUTE_NONE || is_input_taken(i) ||
	    route_line(&line->found, vector))
		return false;
	if (does_interrupt_come(line, vector))
		return true;
	unroute_line(&line->found);
	return false;
}

static void set_interrupting(struct serial_line *line, bool on)
{
	line->interrupts = on;
	line->idle = 0;
	uart_interrupt(&line->uart, on ? UART_INTERRUPT_ON : UART_INTERRUPT_OFF);
}

void serial_route(unsigned vector, void (*has_input)(void))
{
	for (unsigned i = 0; i < serial_count(); i++) {
		uart_on_input(&serial_at(i)->uart, has_input);
		set_interrupting(serial_at(i), has_interrupt(i, vector + i));
	}
}

void serial_interrupted(unsigned i)
{
	struct serial_line *line = serial_at(i);

	line->idle = uart_is_cause(&line->uart) ? 0 : line->idle + 1;
	if (line->idle < IDLE_MOST || !line->interrupts)
		return;
	unroute_line(&line->found);
	set_interrupting(line, false);
}
