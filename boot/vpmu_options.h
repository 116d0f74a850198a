/* SPDX-License-Identifier: BSD-2-Clause */
/* vpmu_options.h - vpmu's options, whatever started it. Pure. */
#ifndef BOOT_VPMU_OPTIONS_H
#define BOOT_VPMU_OPTIONS_H

#include "include/perf0/personalities.h"
#include "include/perf0/vpmu.h"
#include "lib/reason.h"

#define VPMU_USAGE                                                                                       \
	"vpmu.efi [text=marked] [uarch=" VPMU_NAMES_BAR                                                  \
	"] [ht=on|off] [threads=2|1] [timing=model|ipc1] [hypervisor=on|off] [clock=machine|own|model] " \
	"[features=LEVEL] [counters=LIST] [fault=LIST] PATH [ARGS...]"

struct vpmu_boot {
	struct vpmu_config config;
	const char *path; /* of the image to start, as it was written */
	const char *args; /* "" when there are none */
};

/* vpmu_boot_options() - parses `text`, which it changes and which `boot` points into. Returns 0, or
 * with the reason -ERANGE, or -EINVAL where VPMU_USAGE helps. boot->config.marked is valid then,
 * too. */
int vpmu_boot_options(char *text, struct vpmu_boot *boot, struct reason *why);

#endif
