/* SPDX-License-Identifier: BSD-2-Clause */
/* machine_options.h - the options of a machine, and of the vpmu in it. */
#ifndef TOOLS_OPTIONS_MACHINE_OPTIONS_H
#define TOOLS_OPTIONS_MACHINE_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "include/perf0/shape.h"
#include "lib/reason.h"
#include "tools/events/evfiles.h"
#include "tools/events/guest_uarch.h"
#include "tools/stream/live.h"

enum accel { ACCEL_TCG, ACCEL_KVM };

/* The firmware that starts vpmu or the image: the UEFI of OVMF, or QEMU's own BIOS. */
enum machine_firmware { MACHINE_OVMF, MACHINE_SEABIOS };

/* The clock of a machine. */
enum machine_clock { CLOCK_INSTRUCTIONS, CLOCK_HOST, CLOCK_MODEL };

/* The meaning of vpmu's event counts. */
enum event_counting {
	EVENTS_MODEL,  /* executed instructions and what a model derives from them */
	EVENTS_COUNTS, /* executed instructions; other events are ratios */
	EVENTS_RATIOS, /* ratios of instructions and cycles */
};

#define OPTION_MEMORY_MIB 256

#define OPTION_EVENT_FILES (EVFILES_KINDS + 1) /* one too many, which is noticed */

struct programs;

/* The CPU that vpmu shows, and how it counts. */
struct vpmu_options {
	const struct guest_uarch *uarch; /* never NULL */
	bool ht;
	enum event_counting events;
	bool prefetch;           /* of the model */
	bool ipc1;               /* one cycle per instruction */
	bool hides_hypervisor;   /* CPUID does not reveal a hypervisor */
	unsigned program_level;  /* of x86-64, of the CPU that programs find; 0: the machine's */
	const char *counters;    /* shape of the PMU; NULL: that of its CPU */
	struct vpmu_shape shape; /* the shape that `counters` describes */
	const char *fault;       /* a fault of the machine; NULL: none */
	const char *event_file[OPTION_EVENT_FILES];
	unsigned nevent_files;
	/* the options that the command line has */
	bool gave_uarch, gave_ht, gave_events, gave_prefetch, gave_features;
};

struct machine_options {
	const char *qemu;
	const char *cpu; /* QEMU's model name */
	enum accel accel;
	const char *pin; /* host CPUs for those of a machine with KVM; NULL: the last ones */
	enum machine_firmware firmware;
	enum machine_clock clock;
	uint32_t smp;     /* CPUs */
	uint32_t threads; /* of each core; divides smp */
	uint32_t memory;  /* MiB; 0: OPTION_MEMORY_MIB, or as much as programs need */
	uint32_t timeout; /* seconds; 0: none */
	bool has_vpmu;
	struct vpmu_options vpmu; /* of the vpmu, if has_vpmu */
	struct live_line line;    /* the serial line; baud 0: unchanged */
	bool serial;              /* the image's frames come over the serial line */
	bool cold;                /* the machine is neither restored nor saved */
	int profile;              /* file that QEMU's plugin fills (profile_file.h); 0: none */
	bool watchdog;            /* the NMI watchdog is on from the start */
	const char *boot_options; /* more of them for the image; NULL: none */
	const struct programs *programs; /* for the image; NULL: none */
	/* the options that the command line has */
	bool gave_vpmu, gave_cpu, gave_clock;
};

/* machine_options_check_level() - -EINVAL with the reason where programs cannot find the CPU of
 * --cpu-features on this machine. */
int machine_options_check_level(const struct machine_options *o, struct reason *why);

/* machine_options_same() - returns whether both ask for the same machine. */
bool machine_options_same(const struct machine_options *a, const struct machine_options *b);

/*
 * machine_options_settle() - fills in the defaults that depend on other options. -EINVAL with the
 * reason: the options do not go together.
 */
int machine_options_settle(struct machine_options *options, struct reason *why);

/*
 * machine_options_read_files() - reads the given event files for the microarchitecture, unless they
 * are read already. The gate calls it after reading its file, which may name another
 * microarchitecture. -EINVAL with the reason.
 */
int machine_options_read_files(struct machine_options *options, struct reason *why);

#endif
