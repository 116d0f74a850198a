// SPDX-License-Identifier: BSD-2-Clause
/* ports.c - see ports.h. */
#include "tests/shim/ports.h"

#include "arch/x86/dev/tsc.h"
#include "arch/x86/insn.h"
#include "arch/x86/mem/paging.h"

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

uint16_t inw(uint16_t port)
{
	return shim_ports.wide_in ? (uint16_t)shim_ports.wide_in(port, 2) : UINT16_MAX;
}

uint32_t inl(uint16_t port)
{
	return shim_ports.wide_in ? shim_ports.wide_in(port, 4) : UINT32_MAX;
}

void outw(uint16_t port, uint16_t value)
{
	if (shim_ports.wide_out)
		shim_ports.wide_out(port, 2, value);
}

void outl(uint16_t port, uint32_t value)
{
	if (shim_ports.wide_out)
		shim_ports.wide_out(port, 4, value);
}

/* Registers in memory have their physical addresses. */
volatile void *paging_map_mmio(uint64_t phys, size_t bytes)
{
	(void)bytes;
	return (volatile void *)(uintptr_t)phys; // NOLINT(performance-no-int-to-ptr)
}

void clock_spin_ns(uint64_t ns)
{
	if (shim_ports.spin)
		shim_ports.spin(ns);
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
