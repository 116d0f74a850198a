// SPDX-License-Identifier: BSD-2-Clause
/* caps.c - prints CPUID's facts on this CPU and its PMU, as a table or as JSON. One list of rows
 * serves both: a title for people, a key for programs, and a way to read the value. */
#include "apps/measure/nodes_text.h"
#include "apps/measure/command_options.h"
#include "arch/x86/portable/cpuid.h"
#include "arch/x86/portable/quirks.h"
#include "arch/x86/dev/apic.h"
#include "arch/x86/dev/hw_watchdog.h"
#include "arch/x86/dev/tsc.h"
#include "lib/printf.h"
#include "lib/string.h"
#include "pmu/api/pmu.h"
#include "rt/console/command.h"
#include "rt/console/lines_text.h"
#include "rt/firmware/firmware_counters.h"
#include "rt/base/machine.h"
#include "rt/print/print.h"

#include <stddef.h>

enum caps_group { ANY, INTEL, AMD };
enum caps_format { NUMBER, HEX, BOOL, TEXT, OPTIONAL }; /* OPTIONAL: 0 is not printed */

struct caps_row {
	enum caps_group group;
	const char *title, *key;
	enum caps_format format;
	uint16_t offset, size;
};

#define ROW(group, title, key, format, member)                                \
	{                                                                     \
		group, title, key, format, offsetof(struct pmu_caps, member), \
			sizeof(((struct pmu_caps *)0)->member)                \
	}

static const struct caps_row rows[] = {
	ROW(ANY, "Vendor", "vendor", TEXT, vendor_id),
	ROW(ANY, "CPU", "brand", TEXT, brand),
	ROW(ANY, "Signature", "signature", HEX, signature),
	ROW(ANY, "Family", "family", NUMBER, family),
	ROW(ANY, "Model", "model", HEX, model),
	ROW(ANY, "Stepping", "stepping", NUMBER, stepping),
	ROW(ANY, "Under a hypervisor", "hypervisor", BOOL, hypervisor),
	ROW(ANY, "Under KVM", "kvm", BOOL, kvm),
	ROW(ANY, "Threads per core", "threads_per_core", NUMBER, threads_per_core),
	ROW(INTEL, "Architectural perfmon version", "version", NUMBER, version),
	ROW(INTEL, "General counters", "gp_mask", HEX, gp_mask),
	ROW(INTEL, "General counter width", "gp_width", NUMBER, gp_width),
	ROW(INTEL, "Fixed counters", "fixed_mask", HEX, fixed_mask),
	ROW(INTEL, "Fixed counter width", "fixed_width", NUMBER, fixed_width),
	ROW(INTEL, "Architectural events listed", "events_length", NUMBER, events_length),
	ROW(INTEL, "Architectural events absent", "events_absent", HEX, events_absent),
	ROW(INTEL, "AnyThread deprecated", "any_thread_deprecated", BOOL, any_thread_deprecated),
	ROW(INTEL, "UMASK2", "umask2", BOOL, umask2),
	ROW(INTEL, "EQ bit", "eq_bit", BOOL, eq_bit),
	ROW(INTEL, "Auto counter reload", "acr_mask", HEX, acr_mask),
	ROW(INTEL, "Debug store, 64-bit", "dtes64", BOOL, dtes64),
	ROW(INTEL, "Debug store", "ds", BOOL, ds),
	ROW(INTEL, "PERF_CAPABILITIES readable", "pdcm_readable", BOOL, pdcm_readable),
	ROW(INTEL, "PERF_CAPABILITIES", "perf_capabilities", HEX, perf_capabilities),
	ROW(INTEL, "Hybrid part", "hybrid", BOOL, hybrid),
	ROW(INTEL, "Core type", "core_type", HEX, core_type),
	ROW(INTEL, "Native model", "native_model", HEX, native_model),
	ROW(INTEL, "Architectural LBR", "arch_lbr", BOOL, arch_lbr),
	ROW(INTEL, "LBR depths", "lbr_depths", HEX, lbr_depths),
	ROW(INTEL, "Processor Trace", "pt", BOOL, pt),
	ROW(INTEL, "Processor Trace, leaf 0x14 EBX", "pt_ebx", HEX, pt_ebx),
	ROW(INTEL, "Processor Trace, leaf 0x14 ECX", "pt_ecx", HEX, pt_ecx),
	ROW(INTEL, "TSX", "rtm", BOOL, rtm),
	ROW(INTEL, "TSX force abort", "tsx_force_abort", BOOL, tsx_force_abort),
	ROW(AMD, "Extended core counters", "perfctr_core", BOOL, perfctr_core),
	ROW(AMD, "Northbridge counters", "perfctr_nb", BOOL, perfctr_nb),
	ROW(AMD, "Last level cache counters", "perfctr_llc", BOOL, perfctr_llc),
	ROW(AMD, "PerfMonV2", "perfmon_v2", BOOL, perfmon_v2),
	ROW(AMD, "Core counters", "amd_core", OPTIONAL, amd_core),
	ROW(AMD, "Northbridge counters, number", "amd_nb", NUMBER, amd_nb),
	ROW(AMD, "UMC counters, number", "amd_umc", NUMBER, amd_umc),
	ROW(AMD, "LbrExtV2", "lbr_v2", BOOL, lbr_v2),
	ROW(AMD, "LBR stack entries", "amd_lbr_depth", NUMBER, amd_lbr_depth),
	ROW(AMD, "Freeze on PMI", "lbr_pmc_freeze", BOOL, lbr_pmc_freeze),
	ROW(AMD, "IBS", "ibs", BOOL, ibs),
	ROW(AMD, "IBS capabilities", "ibs_caps", HEX, ibs_caps),
	ROW(ANY, "Base frequency, MHz", "base_mhz", OPTIONAL, base_mhz),
	ROW(ANY, "Maximum frequency, MHz", "max_mhz", OPTIONAL, max_mhz),
};

static bool row_applies(const struct caps_row *row, const struct pmu_caps *caps)
{
	static const enum cpu_vendor vendor[] = {
		[INTEL] = CPU_VENDOR_INTEL,
		[AMD] = CPU_VENDOR_AMD,
	};

	return row->group == ANY || vendor[row->group] == caps->vendor;
}

static uint64_t row_value(const struct caps_row *row, const struct pmu_caps *caps)
{
	uint64_t v = 0;

	memcpy(&v, (const char *)caps + row->offset, row->size);
	return v;
}

static const char *row_text(const struct caps_row *row, const struct pmu_caps *caps)
{
	return (const char *)caps + row->offset;
}

/* CPUID pads brand strings with blanks on either side. */
static const char *skip_blank_padding(const char *s)
{
	while (*s == ' ')
		s++;
	return s;
}

static void table_row(const struct caps_row *row, const struct pmu_caps *caps)
{
	out("  %-32s ", row->title);
	switch (row->format) {
	case TEXT:
		out("%s\n", skip_blank_padding(row_text(row, caps)));
		break;
	case BOOL:
		out("%s\n", row_value(row, caps) ? "yes" : "no");
		break;
	case HEX:
		out("0x%llx\n", (unsigned long long)row_value(row, caps));
		break;
	case OPTIONAL:
		if (!row_value(row, caps)) {
			out("not told by CPUID\n");
			break;
		}
		__attribute__((fallthrough));
	case NUMBER:
		out("%llu\n", (unsigned long long)row_value(row, caps));
		break;
	}
}

static void json_row(const struct caps_row *row, const struct pmu_caps *caps)
{
	out("  \"%s\": ", row->key);
	if (row->format == TEXT)
		print_json_text(skip_blank_padding(row_text(row, caps)));
	else if (row->format == BOOL)
		out("%s", row_value(row, caps) ? "true" : "false");
	else if (row->format == OPTIONAL && !row_value(row, caps))
		out("null");
	else
		out("%llu", (unsigned long long)row_value(row, caps));
	out(",\n");
}

static void print_firmware(void)
{
	const struct pmu_firmware f = pmu_firmware();
	char names[FIRMWARE_LIST];

	out("  %-32s %s", "Counters on at start, firmware's",
	    firmware_counters_list(f.at_start, names));
	if (f.at_start)
		out(" (MSR 0x%x was 0x%llx)", f.msr, (unsigned long long)f.value);
	out("\n  %-32s %s\n", "Counters borrowed by firmware",
	    firmware_counters_list(f.borrowed, names));
	out("  %-32s %s\n", "Counters that count nothing", firmware_counters_list(f.still, names));
}

static void print_quirks(const struct pmu_caps *caps)
{
	for (unsigned quirk = 0; quirk < QUIRKS; quirk++) {
		const struct quirk_row *row = quirk_row_of(caps, quirk);

		if (has_quirk(caps, quirk))
			out("  %-32s %s: %s (%s)\n", "Quirk", quirk_name(quirk), row->erratum,
			    row->document);
	}
}

static void print_json_quirks(const struct pmu_caps *caps)
{
	const char *before = "";

	out(",\n  \"quirks\": [");
	for (unsigned quirk = 0; quirk < QUIRKS; quirk++)
		if (has_quirk(caps, quirk)) {
			out("%s\"%s\"", before, quirk_name(quirk));
			before = ", ";
		}
	out("]");
}

static void print_caps_table(const struct pmu_caps *caps)
{
	const char *problem = machine_pmu_problem();

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (row_applies(&rows[i], caps))
			table_row(&rows[i], caps);
	out("  %-32s %u from %s\n", "TSC, kHz", tsc_khz(), tsc_source());
	out("  %-32s %s\n", "Timer", apic_timer_name());
	out("  %-32s %s%s%s\n", "Watchdog of the chipset", hw_watchdog_name(),
	    *hw_watchdog_reason() ? ": " : "", hw_watchdog_reason());
	out("  %-32s %s\n", "Hardware events", problem ? problem : "yes");
	out("  %-32s %s\n", "Serial lines", lines_text());
	if (!problem)
		print_firmware();
	print_quirks(caps);
	nodes_print();
}

static void print_caps_json(const struct pmu_caps *caps)
{
	const struct pmu_firmware firmware = pmu_firmware();
	const char *problem = machine_pmu_problem();

	out("{\n");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (row_applies(&rows[i], caps))
			json_row(&rows[i], caps);
	out("  \"tsc_khz\": %u,\n  \"tsc_source\": ", tsc_khz());
	print_json_text(tsc_source());
	out(",\n  \"serial_lines\": ");
	print_json_text(lines_text());
	out(",\n  \"timer\": ");
	print_json_text(apic_timer_name());
	out(",\n  \"hw_watchdog\": ");
	print_json_text(hw_watchdog_name());
	out(",\n  \"hw_watchdog_reason\": ");
	print_json_text(hw_watchdog_reason());
	out(",\n  \"firmware_counters\": %llu,\n  \"borrowed_counters\": %llu",
	    (unsigned long long)firmware.at_start, (unsigned long long)firmware.borrowed);
	out(",\n  \"still_counters\": %llu", (unsigned long long)firmware.still);
	print_json_quirks(caps);
	out(",\n  \"hardware_events\": %s", problem ? "false" : "true");
	if (problem) {
		out(",\n  \"reason\": ");
		print_json_text(problem);
	}
	out(",\n");
	nodes_print_json();
	out("\n}\n");
}

static int run_caps(int argc, char **argv)
{
	bool as_json = false;
	const struct option_target targets[] = {{OPT_CAPS_JSON, &as_json}};
	const struct option_targets sets[] = {OPTION_TARGETS(targets)};

	if (options_read(IMAGE_CAPS, argc, argv, sets, 1) < 0)
		return STATUS_USAGE;
	if (as_json)
		print_caps_json(machine_caps());
	else
		print_caps_table(machine_caps());
	return 0;
}

static const struct command caps = {
	.name = "caps",
	.usage = "[-j]",
	.summary = "the CPU and its PMU, as CPUID describes them",
	.options = IMAGE_CAPS,
	.run = run_caps,
};
COMMAND(caps);
