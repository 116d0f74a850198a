/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sysfs.h - what files below /sys/bus/event_source/devices/<pmu> say: the fields of attr.config and
 * the events that have names, as text that tools put together to an attr (sysfs ABI:
 * testing/sysfs-bus-event_source-devices-format, -events). Portable and pure, any context.
 */
#ifndef PMU_NAMES_SYSFS_H
#define PMU_NAMES_SYSFS_H

#include "pmu/names/dynamic.h"
#include "pmu/uarch/uarch.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A file: its name and its one line, without the end. */
struct sysfs_file {
	char name[56];
	char text[72];
	uint32_t type;   /* of an event: as perf_event_open(2) counts it */
	uint64_t config; /* likewise */
};

/* The PMU of the core, on this machine. */
struct sysfs_core {
	const struct uarch *uarch;
	uint64_t select_bits; /* of an event select that mean something */
};

/* sysfs_core_format(), sysfs_format() - file number `i` of format/; sysfs_core_event(),
 * sysfs_event() - of events/, where an event may have several. False: there are no more. */
bool sysfs_core_format(const struct sysfs_core *core, size_t i, struct sysfs_file *file);
bool sysfs_core_event(const struct sysfs_core *core, size_t i, struct sysfs_file *file);
bool sysfs_format(const struct dynamic_pmu *pmu, size_t i, struct sysfs_file *file);
bool sysfs_event(const struct dynamic_pmu *pmu, size_t i, struct sysfs_file *file);

#endif
