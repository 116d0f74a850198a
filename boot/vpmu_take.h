/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * vpmu_take.h - puts the machine under vpmu: a copy of the whole image, relocated once more, in
 * memory that no operating system will reuse, takes the CPU. The caller continues as a guest.
 */
#ifndef BOOT_VPMU_TAKE_H
#define BOOT_VPMU_TAKE_H

#include "include/perf0/vpmu.h"

/* The machine as the loader's half knows it. */
struct vpmu_platform {
	/* Reserves that many pages of 4 KiB for good, all below `end`; 0: there are none. */
	uint64_t (*reserve)(uint64_t end, uint64_t pages);
	void (*print)(const char *text);
	const uint8_t *rsdp; /* of ACPI; NULL: none */
	unsigned others;     /* CPUs besides this one, and their APIC ids */
	const uint32_t *apic_ids;
};

/* vpmu_take_machine() - prints what it found. 0: the caller is a guest, or the machine cannot have
 * vpmu and goes on without; else -EINVAL for an option, or -ENOMEM. */
int vpmu_take_machine(const struct vpmu_platform *platform, struct vpmu_config *config);

#endif
