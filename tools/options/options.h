/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * options.h - what the host tool's own options set. They stand before `--` or, where an image's
 * command or a device follows, the first word that is neither an option nor an option's operand.
 * What a command of the image takes is checked, and kept for it.
 */
#ifndef TOOLS_OPTIONS_OPTIONS_H
#define TOOLS_OPTIONS_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "include/perf0/options.h"
#include "include/perf0/shape.h"
#include "tools/bench/given.h"
#include "tools/gate/given.h"
#include "tools/program/given.h"
#include "tools/stream/live.h"
#include "tools/out/out.h"
#include "lib/reason.h"
#include "tools/events/evfiles.h"
#include "include/perf0/shape.h"
#include "tools/events/uarch.h"

enum accel { ACCEL_TCG, ACCEL_KVM };

/* The clock of a machine. */
enum machine_clock { CLOCK_INSTRUCTIONS, CLOCK_HOST };

/* The meaning of vpmu's event counts. */
enum events_wish {
	EVENTS_MODEL,  /* what was executed, and what a model makes of it */
	EVENTS_COUNTS, /* what was executed; the others ratios */
	EVENTS_RATIOS, /* ratios of instructions and cycles */
};

#define OPTION_MEMORY_MIB 256

#define OPTION_EVENT_FILES (EVFILES_KINDS + 1) /* the last one is one too many */

#define SMP_MAX     64
#define SMP_DIGITS  2
#define THREADS_MAX 2
#define ANY_COMMAND UINT32_MAX

struct programs;

/* Options of a guest of vpmu that is not the image; NULL: not given. */
struct guest_given {
	const char *initrd, *append, *share, *modules;
	const char *page; /* of a machine that is only told */
};

struct options {
	const struct guest_uarch *uarch; /* never NULL; only vpmu shows it */
	bool ht;
	bool vpmu;
	enum accel accel;
	enum machine_clock clock;
	enum events_wish events;
	bool prefetch;         /* of the model */
	bool ipc1;             /* vpmu's cycles are one an instruction */
	bool hides_hypervisor; /* vpmu's CPUID does not tell that there is one */
	const char *event_file[OPTION_EVENT_FILES];
	unsigned nevent_files;
	const char *cpu;                 /* QEMU's model name */
	const char *boot_options;        /* of the image, beside those of the others; NULL: none */
	const struct programs *programs; /* that the image is given; NULL: none */
	struct program_given given;      /* what is said of those */
	struct bench_given bench;        /* code that is measured */
	size_t nkept;                    /* words of options that are the image's, first of all */
	struct gate_given gate;
	struct guest_given guest;
	uint32_t smp;                    /* CPUs */
	uint32_t threads;                /* of each core; divides smp */
	uint32_t memory;                 /* MiB; 0: OPTION_MEMORY_MIB, or what programs need */
	uint32_t timeout;                /* of the machine, in seconds; 0: none */
	uint32_t delay;                  /* between two pictures of `top`, in seconds */
	const char *input;               /* NULL: none */
	const char *output;              /* NULL: the command's default */
	bool append;                     /* to it */
	const struct out_format *format; /* NULL: the command's default */
	const char *separator;           /* of csv; NULL: a comma */
	const char *qemu;
	uint64_t max_size;     /* bytes that records may take, unpacked */
	uint32_t command;      /* of a stream, from 0, or ANY_COMMAND */
	const char *stored;    /* file that the stream of a line is stored in; NULL: none */
	struct live_line line; /* the serial line; baud 0: as it is */
	bool stops;            /* a script, at the first command that fails */
	bool joined;           /* a stored stream may begin in the middle of a run */
	uint32_t attached;     /* seconds that attach stays; 0: no limit */
	bool keep_going;       /* the image is to refuse what is wrong, and run the rest */
	bool verbose;
	bool cold;     /* the machine is neither restored nor saved */
	bool serial;   /* the image's frames come over the serial line */
	bool quiet;    /* nothing is said of a recording but what failed */
	bool watchdog; /* the NMI watchdog is on from the start */
	bool gave_uarch, gave_ht, gave_vpmu, gave_cpu, gave_events, gave_prefetch;
	bool gave_clock;
	const char *counters;     /* that vpmu's PMU has; NULL: its CPU's */
	struct vpmu_shape shape;  /* what that says */
	const char *fault;        /* of vpmu's machine; NULL: none */
	const char *html, *plot;  /* files of pictures; NULL: none */
	const char *const *typed; /* the whole command line, as it was typed */
};

/* options_same_machine() - whether both ask for the same machine. */
bool options_same_machine(const struct options *a, const struct options *b);

/*
 * tool_options_parse() - takes `taker`'s options out of `words`, a NULL-terminated array that is
 * changed: what is left of it is what the tool did not take, `--` included for an image's command
 * and excluded for the others. Fills `options`, defaults first, and checks them against each other.
 * Returns 0, or -EINVAL with the reason. tool_options_free() - in both cases.
 */
int tool_options_parse(struct options *options, enum option_taker taker, const char **words,
		       struct reason *why);

void tool_options_free(struct options *options);

/*
 * options_event_files() - reads the event files that were given, for the microarchitecture, with
 * which they are from then on. Nothing where they are known already. The options of the gate wait
 * for its file, which may name another. -EINVAL with the reason.
 */
int options_event_files(struct options *options, struct reason *why);

/* tool_options_parse_beside() - the same, with `base` for defaults; NULL: with the usual ones. */
int tool_options_parse_beside(struct options *options, const struct options *base,
			      enum option_taker taker, const char **words, struct reason *why);

/* tool_options_takers() - `taker`, and the command of the image that gets what it does not take. */
uint64_t tool_options_takers(enum option_taker taker);

#endif
