/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sysfs.h - the content of files below /sys/bus/event_source/devices/<pmu>: the fields of
 * attr.config and the named events, as text from which tools build an attr (sysfs ABI:
 * testing/sysfs-bus-event_source-devices-format, -events). Portable and pure, any context.
 */
#ifndef PMU_NAMES_SYSFS_H
#define PMU_NAMES_SYSFS_H

#include "pmu/names/dynamic.h"
#include "pmu/uarch/uarch.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A file: its name and its one line, without the line end. */
struct sysfs_file {
	char name[56];
	char text[72];
	uint32_t type;   /* event: its type for perf_event_open(2) */
	uint64_t config; /* event: its config */
};

/* The PMU of the core of this machine. */
struct sysfs_core {
	const struct uarch *uarch;
	uint64_t select_bits; /* valid bits of an event select */
};

/*
 * sysfs_core_format(), sysfs_format() - file number `i` of format/. sysfs_core_event(),
 * sysfs_event() - file number `i` of events/, where an event may have several. False: there are no
 * more.
 */
bool sysfs_core_format(const struct sysfs_core *core, size_t i, struct sysfs_file *file);
bool sysfs_core_event(const struct sysfs_core *core, size_t i, struct sysfs_file *file);
bool sysfs_format(const struct dynamic_pmu *pmu, size_t i, struct sysfs_file *file);
bool sysfs_event(const struct dynamic_pmu *pmu, size_t i, struct sysfs_file *file);

#endif
