/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * vpmu.h - the contract between boot/vpmu.c, which knows the firmware, and vpmu/, which does not;
 * and the private CPUID leaves by which software can ask vpmu about itself.
 */
#ifndef PERF0_VPMU_H
#define PERF0_VPMU_H

#include "include/perf0/faults.h"
#include "include/perf0/shape.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * CPUID leaf of vpmu; ECX chooses the answer. Instructions are counted since launch: their sum is
 * exact, the split by ring only while some counter tells the rings apart.
 */
#define VPMU_CPUID_LEAF         0x4fff0000u
#define VPMU_CPUID_MARK         0 /* EAX = highest subleaf, EBX:ECX:EDX = "perf0 vpmu\0\0" */
#define VPMU_CPUID_INSTRUCTIONS 1 /* EBX:EAX in ring 0, EDX:ECX in ring 3 */
#define VPMU_CPUID_EXITS        2 /* EBX:EAX exits, EDX:ECX PMIs delivered */
/* EAX = largest skid of all CPUs, in instructions; EBX = timer NMIs that came too early */
#define VPMU_CPUID_SKID 3

#define VPMU_CPUID_TITLE     4 /* EAX:EBX:ECX:EDX = what the CPU plays, for people, zeros behind */
#define VPMU_SIGNATURE       "perf0 vpmu\0" /* and a zero, as always */
#define VPMU_SIGNATURE_BYTES 12
#define VPMU_CPUID_BEGIN     5 /* a measurement begins: modelled caches and predictors are empty */
#define VPMU_CPUID_SAMPLES   6 /* EAX: what samples tell of memory, VPMU_SAMPLES_* */
#define VPMU_CPUID_CLOCK     7 /* EAX = enum vpmu_clock */
#define VPMU_CPUID_ALIGN                                                         \
	8 /* of what counters have of an event that is not whole nothing is left \
	   */
#define VPMU_CPUID_LAST VPMU_CPUID_ALIGN

#define VPMU_SAMPLES_SOURCES 1u /* data sources and latencies, by a model of a core */

/* What the time of the machine is, below vpmu. */
enum vpmu_clock {
	VPMU_CLOCK_INSTRUCTIONS = 1, /* goes by what is executed */
	VPMU_CLOCK_HOST,             /* goes by itself */
};

/*
 * Leaves that tell, of the CPU that asks, whether an event is modelled: the leaf is this one plus
 * bits 35:32 of the event select, ECX its bits 31:0. EAX = what kind of number its count is: enum
 * truth (truth.h). EBX = the general counters that count it; 0:
 * an event that vpmu does not know, and that would stay at 0 on every one of them. Only where
 * VPMU_CPUID_MARK's EAX is VPMU_CPUID_TITLE at least.
 */
#define VPMU_CPUID_EVENT_LEAF 0x4fff0010u
#define VPMU_CPUID_EVENT_HIGH 0xfu

struct events_page;
struct reason;

struct vpmu_config {
	const char *uarch;     /* personality's name */
	bool marked;           /* where vpmu ends the machine it says so by a mark (marks.h) */
	bool ht_on;            /* hyper-threading: fewer general counters on Haswell and Skylake */
	bool ipc1;             /* cycles are one an instruction, not a model's */
	bool one_thread;       /* a core has one, whatever ht_on says of its counters */
	bool hides_hypervisor; /* CPUID does not tell that there is one */
	bool own_clock;        /* the guest's TSC stands still in vpmu; where it is exact */
	uint64_t ticks_per_insn;  /* of the TSC, at least 1 */
	bool exact;               /* that is a constant here (QEMU with -icount, one CPU) */
	unsigned cpus;            /* logical CPUs of the machine, this one included */
	const uint32_t *apic_ids; /* of the others */
	/*
	 * For them: vpmu_cpu_bytes() of memory for each, page aligned, and a page below 1 MiB, all
	 * of which is never used for anything else. NULL and 0: they are never under vpmu.
	 */
	void *memory;
	uint64_t start_page;
	/*
	 * S3: a page below 1 MiB, likewise; the port of PM1a_CNT, the FACS (ACPI 6.5, "PM1 Control
	 * Registers", "Firmware ACPI Control Structure"). 0: behind it the guest has no PMU.
	 */
	uint64_t wake_page;
	uint16_t sleep_port;
	uint8_t *facs;
	struct events_page *events; /* of QEMU's plugin; NULL: there is none */
	struct vpmu_faults faults;
	struct vpmu_shape shape;
	struct reason *why; /* where VPMU_BAD_SHAPE writes what is wrong */
};

enum vpmu_verdict {
	VPMU_LAUNCHED,         /* the caller is a guest now */
	VPMU_LAUNCHED_RATIOS,  /* the same, but QEMU's plugin does not count what is executed */
	VPMU_LAUNCHED_COUNTED, /* the same, but QEMU's plugin tells instructions, not the TSC */
	VPMU_LAUNCHED_INEXACT, /* the same, but its counts are estimates */
	VPMU_NO_SVM,           /* CPUID has no SVM, or the firmware locked it off */
	VPMU_RUNS_ALREADY,
	VPMU_BAD_UARCH,
	VPMU_BAD_SHAPE,
	VPMU_NO_HPET, /* no comparator that can deliver by FSB */
};

/*
 * vpmu_measure_ticks() - TSC ticks that an instruction takes on this machine; 0 where that is not a
 * constant. vpmu_estimate_ticks(): what it took on the average in a loop, at least 1. Task context.
 */
uint64_t vpmu_measure_ticks(void);
uint64_t vpmu_estimate_ticks(void);

/*
 * vpmu_events_find() - the page of QEMU's plugin (events_page.h); NULL: there is none. It is told
 * the personality, and where the copy of this image lies that is about to take the CPU. To be
 * called in the image that was copied, before anything of the copy runs. Task context, firmware's
 * page tables.
 */
struct events_page *vpmu_events_find(uint64_t copy, const char *uarch);

/*
 * vpmu_cpu_bytes() - what vpmu_config.memory has to have for each further CPU. vpmu_max_cpus() -
 * how many CPUs this machine has comparators of the HPET for. Any context.
 */
size_t vpmu_cpu_bytes(void);
unsigned vpmu_max_cpus(void);

/*
 * vpmu_launch() - puts the CPU under vpmu, in place: on VPMU_LAUNCHED the caller goes on as before,
 * as a guest, and so does each other one from the SIPI on that the guest starts it by. The image
 * must already lie, relocated, in memory that is never used for anything else. Task context,
 * firmware's page tables, the boot CPU.
 */
enum vpmu_verdict vpmu_launch(const struct vpmu_config *config);

#endif
