/* SPDX-License-Identifier: BSD-2-Clause */
/* ports.h - I/O ports and registers in memory that a test defines. Elsewhere there is no device. */
#ifndef TESTS_SHIM_PORTS_H
#define TESTS_SHIM_PORTS_H

#include <stdint.h>

struct shim_ports {
	uint8_t (*in)(uint16_t port); /* NULL: all ones */
	void (*out)(uint16_t port, uint8_t value);
	/* Accesses of 2 or 4 bytes to ports. */
	uint32_t (*wide_in)(uint16_t port, unsigned bytes);
	void (*wide_out)(uint16_t port, unsigned bytes, uint32_t value);
	/* Registers in memory, with accesses of 1, 2 or 4 bytes. */
	uint32_t (*read)(uintptr_t at, unsigned bytes);
	void (*write)(uintptr_t at, unsigned bytes, uint32_t value);
	void (*spin)(uint64_t ns); /* time that the code under test waits */
};

extern struct shim_ports shim_ports;

#endif
