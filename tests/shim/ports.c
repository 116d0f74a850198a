// SPDX-License-Identifier: BSD-2-Clause
/* ports.c - see ports.h. */
#include "tests/shim/ports.h"

#include "arch/x86/insn.h"
#include "arch/x86/dev/ioapic.h"

#include <stddef.h>

struct shim_ports shim_ports;

uint8_t inb(uint16_t port)
{
	return shim_ports.in ? shim_ports.in(port) : UINT8_MAX;
}

void outb(uint16_t port, uint8_t value)
{
	if (shim_ports.out)
		shim_ports.out(port, value);
}

/* Interrupts come by the test's hand. */
int ioapic_route_isa(unsigned irq, unsigned vector)
{
	(void)irq;
	(void)vector;
	return 0;
}
