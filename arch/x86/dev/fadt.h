/* SPDX-License-Identifier: BSD-2-Clause */
/* fadt.h - the used part of the Fixed ACPI Description Table: ACPI 6.5, "Fixed ACPI Description
 * Table (FADT)". fadt_find() clears fields beyond the table's own length. */
#ifndef ARCH_X86_DEV_FADT_H
#define ARCH_X86_DEV_FADT_H

#include "arch/x86/dev/acpi.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ACPI 6.5, "Generic Address Structure". */
struct acpi_gas {
	uint8_t space; /* enum acpi_space */
	uint8_t bits, offset, access;
	uint64_t address;
} __attribute__((packed));

enum acpi_space { ACPI_SPACE_MEMORY, ACPI_SPACE_IO };

struct fadt {
	struct acpi_header header;
	uint32_t facs, dsdt; /* 36 */
	uint8_t reserved44, profile;
	uint16_t sci; /* 46 */
	uint32_t smi_command;
	uint8_t acpi_enable, acpi_disable, s4bios, pstate;                             /* 52 */
	uint32_t pm1a_event, pm1b_event, pm1a_control, pm1b_control;                   /* 56 */
	uint32_t pm2_control, pm_timer, gpe0, gpe1;                                    /* 72 */
	uint8_t pm1_event_bytes, pm1_control_bytes, pm2_control_bytes, pm_timer_bytes; /* 88 */
	uint8_t between[20];                                                           /* 92 */
	uint32_t flags;                                                                /* 112 */
	struct acpi_gas reset;                                                         /* 116 */
	uint8_t reset_value, after[3];                                                 /* 128 */
	uint64_t x_facs, x_dsdt;                                                       /* 132 */
	struct acpi_gas x_pm1a_event, x_pm1b_event, x_pm1a_control, x_pm1b_control;    /* 148 */
	struct acpi_gas x_pm2_control, x_pm_timer;                                     /* 196 */
} __attribute__((packed));
_Static_assert(offsetof(struct fadt, pm1a_control) == 64, "FADT");
_Static_assert(offsetof(struct fadt, pm_timer) == 76, "FADT");
_Static_assert(offsetof(struct fadt, flags) == 112, "FADT");
_Static_assert(offsetof(struct fadt, x_dsdt) == 140, "FADT");
_Static_assert(offsetof(struct fadt, x_pm1a_control) == 172, "FADT");
_Static_assert(offsetof(struct fadt, x_pm_timer) == 208, "FADT");

#define FADT_TIMER_32BIT (1u << 8) /* flags: the PM timer has 32 bits, not 24 */

/* fadt_find() - copies the table into `fadt`. False: the firmware has no such table. Task
 * context. */
bool fadt_find(struct fadt *fadt);

/* fadt_port() - the I/O port of a register, by its new field (`gas`) or else its `old` one; 0:
 * neither names a port. */
uint16_t fadt_port(uint32_t old, const struct acpi_gas *gas);

#endif
