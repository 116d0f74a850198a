// SPDX-License-Identifier: BSD-2-Clause
/* ports.c - see ports.h. */
#include "tests/shim/ports.h"

#include "arch/x86/insn.h"

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

uint8_t mmio_read8(uintptr_t at)
{
	return shim_ports.read ? (uint8_t)shim_ports.read(at, 1) : UINT8_MAX;
}

uint32_t mmio_read32(uintptr_t at)
{
	return shim_ports.read ? shim_ports.read(at, 4) : UINT32_MAX;
}

void mmio_write8(uintptr_t at, uint8_t value)
{
	if (shim_ports.write)
		shim_ports.write(at, 1, value);
}

void mmio_write32(uintptr_t at, uint32_t value)
{
	if (shim_ports.write)
		shim_ports.write(at, 4, value);
}
