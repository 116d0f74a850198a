// SPDX-License-Identifier: BSD-2-Clause
/*
 * modelled.c - asks vpmu, where it plays the PMU, which events it knows: an unknown event would
 * stay at 0, like a real result. Silicon counts any event, and is not asked.
 */
#include "pmu/driver/modelled.h"

#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "arch/x86/portable/cpuid.h"
#include "lib/core_names.h"
#include "include/perf0/truth.h"
#include "lib/printf.h"
#include "lib/string.h"
#include "lib/reason.h"

#include <linux/errno.h>

bool pmu_is_modelled(void)
{
	const struct cpuid_regs mark = insn_cpuid(VPMU_CPUID_LEAF, VPMU_CPUID_MARK);
	uint32_t signature[VPMU_SIGNATURE_BYTES / sizeof(uint32_t)];

	memcpy(signature, VPMU_SIGNATURE, sizeof(signature));
	return mark.ebx == signature[0] && mark.ecx == signature[1] && mark.edx == signature[2] &&
	       mark.eax >= VPMU_CPUID_TITLE;
}

static struct cpuid_regs ask_about_event(uint64_t select)
{
	const uint32_t high = (uint32_t)(select >> 32) & VPMU_CPUID_EVENT_HIGH;

	return insn_cpuid(VPMU_CPUID_EVENT_LEAF + high, (uint32_t)select);
}

uint8_t pmu_modelled_truth(uint64_t select)
{
	uint32_t truth;

	if (!pmu_is_modelled())
		return cpuid_is_kvm() ? TRUTH_KVM : TRUTH_UNTOLD;
	truth = ask_about_event(select).eax;
	return truth < TRUTH_KINDS ? (uint8_t)truth : TRUTH_UNTOLD;
}

bool pmu_modelled_sources(void)
{
	return !pmu_is_modelled() ||
	       insn_cpuid(VPMU_CPUID_LEAF, VPMU_CPUID_SAMPLES).eax & VPMU_SAMPLES_SOURCES;
}

/* Returns enum vpmu_clock; 0: unknown. */
static uint32_t ask_about_clock(void)
{
	struct cpuid_regs mark;

	if (!pmu_is_modelled())
		return 0;
	mark = insn_cpuid(VPMU_CPUID_LEAF, VPMU_CPUID_MARK);
	return mark.eax >= VPMU_CPUID_CLOCK ? insn_cpuid(VPMU_CPUID_LEAF, VPMU_CPUID_CLOCK).eax : 0;
}

bool pmu_time_is_hosts(void)
{
	return ask_about_clock() == VPMU_CLOCK_HOST;
}

bool pmu_time_is_modelled(void)
{
	return ask_about_clock() == VPMU_CLOCK_MODEL;
}

bool pmu_time_is_instructions(void)
{
	return ask_about_clock() == VPMU_CLOCK_INSTRUCTIONS;
}

uint32_t pmu_modelled_skid(void)
{
	return pmu_is_modelled() ? insn_cpuid(VPMU_CPUID_LEAF, VPMU_CPUID_SKID).eax : 0;
}

static struct cpuid_regs ask_about_core(void)
{
	if (!pmu_is_modelled() ||
	    insn_cpuid(VPMU_CPUID_LEAF, VPMU_CPUID_MARK).eax < VPMU_CPUID_CORE)
		return (struct cpuid_regs){0};
	return insn_cpuid(VPMU_CPUID_LEAF, VPMU_CPUID_CORE);
}

uint32_t pmu_modelled_core_name(char name[PMU_MODELLED_CORE_NAME])
{
	const struct cpuid_regs core = ask_about_core();
	const uint32_t words[] = {core.ebx, core.ecx, core.edx};

	memset(name, 0, PMU_MODELLED_CORE_NAME);
	memcpy(name, words, sizeof(words));
	return core.eax;
}

void pmu_modelled_core(char text[PMU_MODELLED_CORE_TEXT])
{
	char name[PMU_MODELLED_CORE_NAME];
	const uint32_t kind = pmu_modelled_core_name(name);
	unsigned error;

	*text = '\0';
	error = kind == VPMU_CORE_OWN ? core_error(name) : 0;
	if (error)
		fmt_print(text, PMU_MODELLED_CORE_TEXT,
			  "cycles of blocks on %s err by %u.%u %% on average (docs/MODEL.md)", name,
			  error / 10, error % 10);
	else if (kind)
		fmt_print(text, PMU_MODELLED_CORE_TEXT,
			  "%s%s%s no silicon to compare with (docs/MODEL.md)",
			  kind == VPMU_CORE_NEAREST ? "[nearest: " : "", name,
			  kind == VPMU_CORE_NEAREST ? "]" : ":");
}

void pmu_modelled_rowless(struct pmu_rowless *sum)
{
	if (!pmu_is_modelled() ||
	    insn_cpuid(VPMU_CPUID_LEAF, VPMU_CPUID_MARK).eax < VPMU_CPUID_LAST)
		return;
	for (unsigned i = 0; i < PMU_ROWLESS; i++) {
		const struct cpuid_regs r = insn_cpuid(VPMU_CPUID_LEAF, VPMU_CPUID_ROWLESS + 2 * i);

		sum->count[i] += (uint64_t)r.ebx << 32 | r.eax;
		sum->instructions += i ? 0 : (uint64_t)r.edx << 32 | r.ecx;
	}
}

void pmu_modelled_mnemonic(char name[PMU_MNEMONIC], unsigned i)
{
	const struct cpuid_regs r = insn_cpuid(VPMU_CPUID_LEAF, VPMU_CPUID_ROWLESS + 2 * i + 1);

	memcpy(name, &r, sizeof(r));
	name[sizeof(r)] = '\0';
}

void pmu_modelled_begin(void)
{
	if (pmu_is_modelled())
		insn_cpuid(VPMU_CPUID_LEAF, VPMU_CPUID_BEGIN);
}

void pmu_modelled_align(void)
{
	if (pmu_is_modelled())
		insn_cpuid(VPMU_CPUID_LEAF, VPMU_CPUID_ALIGN);
}

/* A counter mask needs to know how often an event occurs in a cycle. */
static bool is_known_unmasked(uint64_t select)
{
	const uint64_t masked = EVTSEL_CMASK | EVTSEL_INV | EVTSEL_EDGE;

	return select & masked && ask_about_event(select & ~masked).ebx;
}

int pmu_check_modelled(uint64_t select, struct reason *why)
{
	struct cpuid_regs title;
	char name[sizeof(title) + 1] = "";

	if (!pmu_is_modelled() || ask_about_event(select).ebx)
		return 0;
	title = insn_cpuid(VPMU_CPUID_LEAF, VPMU_CPUID_TITLE);
	memcpy(name, &title, sizeof(title));
	if (is_known_unmasked(select))
		return refuse(why, ENOENT,
			      "vpmu's %s counts event 0x%llx, but not by cycles as its cmask, inv "
			      "or edge wants",
			      name, (unsigned long long)(select & (EVTSEL_AMD_EVENT_HI | 0xffff)));
	return refuse(why, ENOENT,
		      "vpmu's %s does not know event 0x%llx: it would be 0 whatever happens", name,
		      (unsigned long long)select);
}
