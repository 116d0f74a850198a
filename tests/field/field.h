/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * field.h - firmware that misbehaves on purpose. Each fault is put into the firmware's tables, the
 * image is started, and the fault is taken out again, if the image comes back.
 */
#ifndef TESTS_FIELD_FIELD_H
#define TESTS_FIELD_FIELD_H

#include "boot/efi.h"

#include <stdbool.h>
#include <stdint.h>

/* The system table, and its own boot services. st->BootServices is a copy, which faults change. */
extern EFI_SYSTEM_TABLE *field_st;
extern EFI_BOOT_SERVICES *field_bs;

/* field_say() - one line to COM1, whatever the firmware's console is. */
void field_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The load options of the image. */
struct field_options {
	const void *bytes;
	uint32_t n;
};

struct field_fault {
	const char *name;
	void (*put)(struct field_options *options); /* may replace the options */
	void (*take)(void);                         /* says what the image did; NULL: nothing */
};

/* The faults, by their parts of the firmware; each list ends at a row without a name. */
extern const struct field_fault field_options_faults[], field_services_faults[],
	field_screen_faults[], field_table_faults[], field_cpu_faults[];

#endif
