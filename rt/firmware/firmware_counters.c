// SPDX-License-Identifier: BSD-2-Clause
/* firmware_counters.c - see firmware_counters.h. */
#include "rt/firmware/firmware_counters.h"

#include "lib/bits.h"
#include "lib/printf.h"
#include "pmu/api/pmu.h"
#include "pmu/sched/explain.h"
#include "rt/print/print.h"

const char *firmware_counters_list(uint64_t counters, char text[FIRMWARE_LIST])
{
	size_t n = 0;
	char name[16];

	fmt_print(text, FIRMWARE_LIST, "none");
	for (; counters; counters &= counters - 1)
		n += (size_t)fmt_print(text + n, FIRMWARE_LIST - n, "%s%s", n ? ", " : "",
				       pmu_counter_name(bits_first(counters), name));
	return text;
}

void firmware_counters_tell(void (*print)(const char *format, ...))
{
	const struct pmu_firmware f = pmu_firmware();
	char names[FIRMWARE_LIST];

	if (f.at_start)
		print("perf0: the firmware counts on %s (MSR 0x%x was 0x%llx): taken from it, and "
		      "looked after\n",
		      firmware_counters_list(f.at_start, names), f.msr,
		      (unsigned long long)f.value);
	if (f.still)
		print("perf0: %s count nothing, and are left out: a hypervisor has no counters for "
		      "them (on a Linux host, its watchdog may hold one: sysctl "
		      "kernel.nmi_watchdog=0)\n",
		      firmware_counters_list(f.still, names));
	if (f.borrowed)
		print("perf0: borrowed by firmware: %s, left out\n",
		      firmware_counters_list(f.borrowed, names));
}
