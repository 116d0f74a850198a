/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tool_options.h - parses the host tool's own options. They stand before `--`. In front of a
 * command of the image or a device, they end at the first word that is neither an option nor its
 * value. Options of the image's commands are checked, and kept for the image.
 */
#ifndef TOOLS_OPTIONS_TOOL_OPTIONS_H
#define TOOLS_OPTIONS_TOOL_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "include/perf0/options.h"
#include "include/perf0/shape.h"
#include "tools/bench/bench_options.h"
#include "tools/options/gate_options.h"
#include "tools/program/program_options.h"
#include "tools/stream/live.h"
#include "tools/out/out.h"
#include "lib/reason.h"
#include "tools/events/evfiles.h"
#include "include/perf0/shape.h"
#include "tools/events/guest_uarch.h"

enum accel { ACCEL_TCG, ACCEL_KVM };

/* The clock of a machine. */
enum machine_clock { CLOCK_INSTRUCTIONS, CLOCK_HOST };

/* The meaning of vpmu's event counts. */
enum events_wish {
	EVENTS_MODEL,  /* executed instructions and what a model derives from them */
	EVENTS_COUNTS, /* executed instructions; other events are ratios */
	EVENTS_RATIOS, /* ratios of instructions and cycles */
};

#define OPTION_MEMORY_MIB 256

#define OPTION_EVENT_FILES (EVFILES_KINDS + 1) /* one too many, which is noticed */

#define SMP_MAX     64
#define SMP_DIGITS  2
#define THREADS_MAX 2
#define ANY_COMMAND UINT32_MAX

struct programs;

/* Options of a guest of vpmu that is not the image; NULL: not given. */
struct guest_given {
	const char *initrd, *append, *share, *modules;
	const char *page; /* events page for a machine whose command line is only printed */
};

struct options {
	const struct guest_uarch *uarch; /* never NULL; only vpmu shows it */
	bool ht;
	bool vpmu;
	enum accel accel;
	enum machine_clock clock;
	enum events_wish events;
	bool prefetch;         /* of the model */
	bool ipc1;             /* vpmu counts one cycle per instruction */
	bool hides_hypervisor; /* vpmu's CPUID does not reveal a hypervisor */
	const char *event_file[OPTION_EVENT_FILES];
	unsigned nevent_files;
	const char *cpu;                 /* QEMU's model name */
	const char *boot_options;        /* more of them for the image; NULL: none */
	const struct programs *programs; /* for the image; NULL: none */
	struct program_given given;      /* options of programs */
	struct bench_given bench;        /* code to measure */
	size_t nkept;                    /* number of first words that are options for the image */
	struct gate_given gate;
	struct guest_given guest;
	uint32_t smp;       /* CPUs */
	uint32_t threads;   /* of each core; divides smp */
	uint32_t memory;    /* MiB; 0: OPTION_MEMORY_MIB, or as much as programs need */
	uint32_t timeout;   /* of the machine, in seconds; 0: none */
	uint32_t delay;     /* between two screens of `top`, in seconds */
	const char *input;  /* NULL: none */
	const char *output; /* NULL: the command's default */
	bool append;        /* the output file is appended to */
	const struct out_format *format; /* NULL: the command's default */
	const char *separator;           /* separator of csv; NULL: a comma */
	const char *qemu;
	uint64_t max_size;     /* most bytes of records, unpacked */
	uint32_t command;      /* command of a stream, from 0, or ANY_COMMAND */
	const char *stored;    /* file that stores the stream of a line; NULL: none */
	struct live_line line; /* the serial line; baud 0: unchanged */
	bool stops;            /* a script stops at the first command that fails */
	bool joined;           /* a stored stream may begin in the middle of a run */
	uint32_t attached;     /* seconds that attach stays; 0: no limit */
	bool keep_going;       /* the image refuses wrong commands and runs the rest */
	bool verbose;
	bool cold;     /* the machine is neither restored nor saved */
	bool serial;   /* the image's frames come over the serial line */
	bool quiet;    /* only failures of a recording are reported */
	bool watchdog; /* the NMI watchdog is on from the start */
	bool gave_uarch, gave_ht, gave_vpmu, gave_cpu, gave_events, gave_prefetch;
	bool gave_clock;
	const char *counters;     /* shape of vpmu's PMU; NULL: that of its CPU */
	struct vpmu_shape shape;  /* the shape that `counters` describes */
	const char *fault;        /* a fault of vpmu's machine; NULL: none */
	const char *html, *plot;  /* picture files; NULL: none */
	const char *const *typed; /* the whole command line as typed */
};

/* options_same_machine() - returns whether both ask for the same machine. */
bool options_same_machine(const struct options *a, const struct options *b);

/*
 * tool_options_parse() - takes `taker`'s options out of `words`, a NULL-terminated array that it
 * changes. The other words remain, with `--` for a command of the image, and without it for others.
 * Fills `options`, defaults first, and checks them against each other. Returns 0, or -EINVAL with
 * the reason. The caller calls tool_options_free() in both cases.
 */
int tool_options_parse(struct options *options, enum option_taker taker, const char **words,
		       struct reason *why);

void tool_options_free(struct options *options);

/*
 * options_event_files() - reads the given event files for the microarchitecture, unless they are
 * read already. The gate calls it after reading its file, which may name another microarchitecture.
 * -EINVAL with the reason.
 */
int options_event_files(struct options *options, struct reason *why);

/*
 * tool_options_parse_beside() - like tool_options_parse(), with `base` for defaults; NULL: the
 * usual defaults.
 */
int tool_options_parse_beside(struct options *options, const struct options *base,
			      enum option_taker taker, const char **words, struct reason *why);

/*
 * tool_options_takers() - returns `taker`, and the image's command that gets the options that
 * `taker` does not take.
 */
uint64_t tool_options_takers(enum option_taker taker);

#endif
