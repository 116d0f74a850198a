// SPDX-License-Identifier: BSD-2-Clause
/* doctor_json.c - see doctor_json.h. */
#include "apps/doctor_json.h"

#include "arch/x86/dev/hw_watchdog.h"
#include "arch/x86/dev/smbios.h"
#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "include/perf0/version.h"
#include "lib/printf.h"
#include "lib/string.h"
#include "pmu/api/pmu.h"
#include "pmu/driver/modelled.h"
#include "rt/base/machine.h"

#include <stdarg.h>

#define TEXT_MOST (64 << 10)

static char text[TEXT_MOST];
static size_t used;

__attribute__((format(printf, 1, 2))) static void put(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	used += (size_t)fmt_vprint(text + used, sizeof(text) - used, format, args);
	va_end(args);
	if (used >= sizeof(text))
		used = sizeof(text) - 1;
}

/* The characters that JSON escapes, and those that are no plain text, become spaces. */
static void put_member(const char *name, const char *s, const char *after)
{
	put("\"%s\": \"", name);
	for (; *s; s++)
		put("%c", *s < ' ' || *s > '~' || *s == '"' || *s == '\\' ? ' ' : *s);
	put("\"%s", after);
}

static void put_machine(void)
{
	const struct pmu_caps *caps = machine_caps();
	const char(*names)[SMBIOS_NAME_MAX] = smbios_names()->name;

	put("{\n");
	put_member("perf0", PERF0_VERSION, ",\n");
	put_member("vendor", caps->vendor_id, ",\n");
	put_member("brand", caps->brand, ",\n");
	put_member("uarch", pmu_info()->uarch, ",\n");
	put("\"signature\": %u,\n\"microcode\": %llu,\n\"emulated\": %s,\n", caps->signature,
	    (unsigned long long)caps->microcode, pmu_is_modelled() ? "true" : "false");
	put("\"counters\": %llu,\n\"width\": %u,\n", (unsigned long long)pmu_info()->counters,
	    pmu_info()->width);
	put_member("watchdog", hw_watchdog_name(), ",\n");
	put_member("watchdog_reason", hw_watchdog_reason(), ",\n");
	put_member("manufacturer", names[SMBIOS_MANUFACTURER], ",\n");
	put_member("product", names[SMBIOS_PRODUCT], ",\n");
	put_member("board", names[SMBIOS_BOARD], ",\n");
	put_member("firmware_vendor", names[SMBIOS_FIRMWARE_VENDOR], ",\n");
	put_member("firmware_version", names[SMBIOS_FIRMWARE_VERSION], ",\n");
	put_member("firmware_date", names[SMBIOS_FIRMWARE_DATE], ",\n");
}

/* Leaf 3 has a serial number on some CPUs; leaf 1's EBX and leaf 0xB the place of this CPU. */
static void put_leaves(void)
{
	static const struct {
		uint32_t leaf, last;
	} leaves[] = {
		{0, 0},          {1, 0},          {6, 0},          {7, 2},
		{0xa, 0},        {0x14, 1},       {0x15, 0},       {0x16, 0},
		{0x1a, 0},       {0x1c, 0},       {0x23, 5},       {0x80000001, 0},
		{0x80000007, 0}, {0x80000008, 0}, {0x8000001b, 0}, {0x80000022, 0},
	};
	const uint32_t most = insn_cpuid(0, 0).eax, extended = insn_cpuid(0x80000000, 0).eax;
	const char *before = "";

	put("\"cpuid\": {");
	for (size_t i = 0; i < sizeof(leaves) / sizeof(leaves[0]); i++)
		for (uint32_t sub = 0; sub <= leaves[i].last; sub++) {
			const uint32_t leaf = leaves[i].leaf;
			const struct cpuid_regs r = insn_cpuid(leaf, sub);

			if (leaf > (leaf >> 31 ? extended : most))
				continue;
			put("%s\n\"%x.%u\": [%u, %u, %u, %u]", before, leaf, sub, r.eax,
			    leaf == 1 ? 0 : r.ebx, r.ecx, r.edx);
			before = ",";
		}
	put("\n},\n");
}

static void put_msrs(void)
{
	static const uint32_t common[] = {MSR_IA32_DEBUGCTL}, intel[] = {MSR_IA32_PERF_CAPABILITIES,
									 MSR_IA32_MISC_ENABLE,
									 0xce,
									 0xe2,
									 0x1a4,
									 0x1ad,
									 0x1fc,
									 MSR_SMI_COUNT,
									 MSR_IA32_PERF_GLOBAL_CTRL,
									 MSR_IA32_FIXED_CTR_CTRL},
			      amd[] = {0xc0010015, 0xc0010061, 0xc0010062, 0xc0011022,
				       0xc001103a, 0xc0000300, 0xc0000301};
	const bool is_intel = machine_caps()->vendor == CPU_VENDOR_INTEL;
	const uint32_t *own = is_intel ? intel : amd;
	const size_t n = is_intel ? sizeof(intel) / sizeof(intel[0]) : sizeof(amd) / sizeof(amd[0]);
	const char *before = "";

	put("\"msr\": {");
	for (size_t i = 0; i < n + 1; i++) {
		const uint32_t msr = i < n ? own[i] : common[0];
		uint64_t value;

		if (!rdmsr_safe(msr, &value))
			continue;
		put("%s\n\"%x\": \"0x%llx\"", before, msr, (unsigned long long)value);
		before = ",";
	}
	put("\n},\n");
}

/* For each kind of counter an object from instructions to the number of NMIs. */
static void put_histograms(const struct doctor_verdict *v)
{
	put(", \"skid\": {");
	for (unsigned i = 0; i < v->nhistograms; i++) {
		const struct doctor_histogram *h = &v->histogram[i];

		put("%s\"%s\": {", i ? ", " : "", h->kind);
		for (unsigned k = 0; k < h->n; k++)
			put("%s\"%llu\": %u", k ? ", " : "", (unsigned long long)h->bin[k].skid,
			    h->bin[k].times);
		put("}");
	}
	put("}");
}

static void put_row(const struct doctor_row *row)
{
	const struct doctor_verdict *v = &row->verdict;

	put("{");
	put_member("name", row->name, ", ");
	put_member("group", doctor_group_name(row->group), ", ");
	put_member("title", row->title, ", ");
	put_member("verdict", doctor_state_name(v->state), ", ");
	put_member("text", v->text, "");
	if (v->has_figures)
		put(", \"measured\": %llu, \"expected\": %llu", (unsigned long long)v->measured,
		    (unsigned long long)v->expected);
	if (v->nhistograms)
		put_histograms(v);
	put("}");
}

const char *doctor_json(const struct doctor_report *report, size_t *n)
{
	used = 0;
	put_machine();
	put_leaves();
	put_msrs();
	put("\"checks\": [\n");
	for (unsigned i = 0; i < report->n; i++) {
		put_row(&report->row[i]);
		put("%s\n", i + 1 < report->n ? "," : "");
	}
	put("]\n}\n");
	*n = used;
	return text;
}
