/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * vpmu.h - the contract between boot/vpmu.c, which knows the firmware, and vpmu/, which does not;
 * and the private CPUID leaves of vpmu.
 */
#ifndef PERF0_VPMU_H
#define PERF0_VPMU_H

#include "include/perf0/faults.h"
#include "include/perf0/shape.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The CPUID leaf of vpmu; ECX selects the answer. Instructions are counted since launch. Their sum
 * is exact; the split by ring is exact only while some counter tells the rings apart.
 */
#define VPMU_CPUID_LEAF         0x4fff0000u
#define VPMU_CPUID_MARK         0 /* EAX = highest subleaf, EBX:ECX:EDX = "perf0 vpmu\0\0" */
#define VPMU_CPUID_INSTRUCTIONS 1 /* EBX:EAX in ring 0, EDX:ECX in ring 3 */
#define VPMU_CPUID_EXITS        2 /* EBX:EAX exits, EDX:ECX PMIs delivered */
/* EAX = largest skid of all CPUs, in instructions; EBX = timer NMIs that came too early */
#define VPMU_CPUID_SKID 3

#define VPMU_CPUID_TITLE     4 /* EAX:EBX:ECX:EDX = name of the CPU, padded with zeros */
#define VPMU_SIGNATURE       "perf0 vpmu\0" /* the literal's own terminator is the last byte */
#define VPMU_SIGNATURE_BYTES 12
#define VPMU_CPUID_BEGIN     5 /* a measurement begins: clears modelled caches and predictors */
#define VPMU_CPUID_SAMPLES   6 /* EAX: facts of memory in samples, VPMU_SAMPLES_* */
#define VPMU_CPUID_CLOCK     7 /* EAX = enum vpmu_clock */
#define VPMU_CPUID_ALIGN     8 /* clears the fractions of an event that counters have collected */
/* EAX = enum vpmu_core, EBX:ECX:EDX = name of the core whose tables make time, padded with zeros */
#define VPMU_CPUID_CORE 9
/*
 * Instructions without a row in the tables of that core, executed by this CPU while a counter
 * counted modelled time. VPMU_CPUID_ROWLESS + 2 * i: EBX:EAX of them have mnemonic i, of EDX:ECX
 * instructions executed then. The next subleaf: EAX:EBX:ECX:EDX = the mnemonic, padded with zeros.
 */
#define VPMU_CPUID_ROWLESS       10
#define VPMU_CPUID_ROWLESS_KINDS 16
#define VPMU_CPUID_LAST          (VPMU_CPUID_ROWLESS + 2 * VPMU_CPUID_ROWLESS_KINDS - 1)

/* VPMU_CORE_NONE: no core is modelled. */
enum vpmu_core { VPMU_CORE_NONE, VPMU_CORE_OWN, VPMU_CORE_NEAREST };

#define VPMU_SAMPLES_SOURCES 1u /* data sources and latencies, by a core model */

/* The time base of the machine below vpmu. */
enum vpmu_clock {
	VPMU_CLOCK_INSTRUCTIONS = 1, /* time advances by executed instructions */
	VPMU_CLOCK_HOST,             /* time advances by itself */
	VPMU_CLOCK_MODEL,            /* time advances by modelled cycles */
};

/*
 * CPUID leaves that tell whether the executing CPU models an event. The leaf is this number plus
 * bits 35:32 of the event select; ECX has its bits 31:0. EAX = enum truth (truth.h), the accuracy
 * class. EBX = mask of the general counters that count the event; 0: vpmu does not know it, and it
 * stays 0 on every counter. Valid only where EAX of VPMU_CPUID_MARK is VPMU_CPUID_TITLE or more.
 */
#define VPMU_CPUID_EVENT_LEAF 0x4fff0010u
#define VPMU_CPUID_EVENT_HIGH 0xfu

struct events_page;
struct reason;

struct vpmu_config {
	const char *uarch; /* the personality's name */
	bool marked;       /* vpmu writes a mark when it ends the machine (marks.h) */
	bool ht_on;        /* hyper-threading: fewer general counters on Haswell and Skylake */
	bool ipc1;         /* every instruction takes one cycle, instead of the model's cycles */
	bool one_thread;   /* a core has one thread, whatever ht_on says about its counters */
	bool hides_hypervisor;  /* CPUID does not report a hypervisor */
	unsigned program_level; /* of x86-64, of the CPU that ring 3 finds; 0: the personality */
	/* Only if `exact`: the guest's TSC stands still in vpmu, and the model's cycles move it. */
	bool own_clock, model_clock;
	uint64_t ticks_per_insn;  /* TSC ticks per instruction, at least 1 */
	bool exact;               /* ticks_per_insn is constant (QEMU with -icount, one CPU) */
	unsigned cpus;            /* logical CPUs of the machine, this one included */
	const uint32_t *apic_ids; /* APIC ids of the other CPUs */
	/*
	 * For the other CPUs: vpmu_cpu_bytes() of memory for each, page-aligned, and a page below 1
	 * MiB, both reserved for good. NULL and 0: they never run under vpmu.
	 */
	void *memory;
	uint64_t start_page;
	/*
	 * S3: another page below 1 MiB; the port of PM1a_CNT; the FACS (ACPI 6.5, "PM1 Control
	 * Registers", "Firmware ACPI Control Structure"). 0: the guest has no PMU after S3.
	 */
	uint64_t wake_page;
	uint16_t sleep_port;
	uint8_t *facs;
	struct events_page *events; /* page of QEMU's plugin; NULL: none */
	struct vpmu_faults faults;
	struct vpmu_shape shape;
	struct reason *why; /* filled in for VPMU_BAD_SHAPE */
};

enum vpmu_verdict {
	VPMU_LAUNCHED,         /* the caller is a guest now */
	VPMU_LAUNCHED_RATIOS,  /* the same, but QEMU's plugin does not count */
	VPMU_LAUNCHED_COUNTED, /* the same, but the plugin counts instructions, not the TSC */
	VPMU_LAUNCHED_INEXACT, /* the same, but its counts are estimates */
	VPMU_NO_SVM,           /* CPUID reports no SVM, or the firmware disabled it */
	VPMU_RUNS_ALREADY,
	VPMU_BAD_UARCH,
	VPMU_BAD_SHAPE,
	VPMU_BAD_LEVEL, /* the machine has not all features of program_level */
	VPMU_NO_HPET,   /* no comparator can deliver by FSB */
};

/*
 * vpmu_measure_ticks() - the TSC ticks of an instruction on this machine; 0: they are not constant.
 * vpmu_estimate_ticks() - their average in a loop, at least 1. Task context.
 */
uint64_t vpmu_measure_ticks(void);
uint64_t vpmu_estimate_ticks(void);

/*
 * vpmu_events_find() - the page of QEMU's plugin (events_page.h); NULL: there is none. The page
 * gets the personality and the address of the copy of this image that will take over the CPU.
 * Called in the original image, before any code of the copy runs. Task context, firmware's page
 * tables.
 */
struct events_page *vpmu_events_find(uint64_t copy, const char *uarch);

/*
 * vpmu_cpu_bytes() - the bytes of vpmu_config.memory for each further CPU.
 * vpmu_max_cpus() - the number of CPUs for which the HPET has comparators. Any context.
 */
size_t vpmu_cpu_bytes(void);
unsigned vpmu_max_cpus(void);

/*
 * vpmu_launch() - puts the CPU under vpmu, in place. On VPMU_LAUNCHED the caller continues as a
 * guest. Each other CPU becomes a guest at the SIPI by which the guest starts it. The image must
 * already lie, relocated, in memory that is reserved for good. Task context, firmware's page
 * tables, the boot CPU.
 */
enum vpmu_verdict vpmu_launch(const struct vpmu_config *config);

#endif
