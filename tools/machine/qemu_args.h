/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * qemu_args.h - the command line of a QEMU, and the files that it names: for qemu.c, which starts
 * it, and qemu_describe.c, which tells what its state depends on.
 */
#ifndef TOOLS_MACHINE_QEMU_ARGS_H
#define TOOLS_MACHINE_QEMU_ARGS_H

#include <limits.h>

#include "tools/machine/qemu.h"

#define QEMU_ARGS_MOST 96

/* A firmware of UEFI: its code, and the variable store that belongs to it. */
struct firmware {
	const char *code, *vars;
};

/*
 * firmware_find() - the one that is installed; NULL, with the reason: none is. firmware_copy_vars()
 * - a copy of its variable store in memory, which QEMU inherits: its descriptor, or -E with the
 * reason.
 */
const struct firmware *firmware_find(struct reason *why);
int firmware_copy_vars(const struct firmware *firmware, struct reason *why);

/* The files from which a machine starts. */
struct launch {
	const struct firmware *firmware;
	char esp[PATH_MAX];    /* the file system of the stick */
	char kernel[PATH_MAX]; /* what the firmware starts */
	struct buf load_options;
	/* Files in memory, which QEMU inherits and opens by /proc/self/fd; -1: none. */
	int vars;     /* the private variable store */
	int commands; /* what the image is to run */
	int programs; /* the pack of ELF files that it may run */
};

/*
 * launch_find() - the files of a machine, and its load options; none is opened yet. launch_open():
 * those that QEMU gets as files in memory. Both return 0, or -E with the reason; launch_end() frees
 * and closes what there is, in any case.
 */
int launch_find(struct launch *launch, const struct options *options, struct reason *why);
int launch_open(struct launch *launch, const struct qemu_machine *machine, struct reason *why);
void launch_end(struct launch *launch);

struct args {
	char *v[QEMU_ARGS_MOST + 1];
	size_t n;
};

/* qemu_args_add() - one word. qemu_args_words(): those up to a NULL. */
void qemu_args_add(struct args *args, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void qemu_args_words(struct args *args, const char *const *words);

/*
 * qemu_args_file() - `option` with properties, of which the last one, `name`, is the path of a
 * file. qemu_args_drive(): a drive of one. qemu_args_memory(): `option` with the file in memory
 * `fd`, if there is one.
 */
void qemu_args_file(struct args *args, const char *option, const char *properties, const char *name,
		    const char *path);
void qemu_args_drive(struct args *args, const char *properties, const char *path);
void qemu_args_memory(struct args *args, const char *option, const char *properties, int fd);

/* qemu_args_firmware() - its code, and its variables in the file in memory `vars`. */
struct firmware;
void qemu_args_firmware(struct args *args, const struct firmware *firmware, int vars);

/*
 * qemu_args_plugin() - the plugin that counts, with the file `page` for the memory of the device
 * `qemu_events_device`, words up to a NULL. qemu_args_counting(): with the memory that `counting`
 * has, if it has any.
 */
extern const char *const qemu_events_device[];
void qemu_args_plugin(struct args *args, const struct counting *counting, const char *page);
void qemu_args_counting(struct args *args, const struct counting *counting);

/* qemu_args_board() - CPUs, memory and clock as vpmu wants them. */
struct qemu_board {
	uint32_t mib;
	unsigned shift;  /* where the clock goes by instructions one takes 2 to that ns */
	bool one_thread; /* of the host runs all CPUs, by turns */
};
void qemu_args_board(struct args *args, const struct options *options,
		     const struct qemu_board *board);

/*
 * qemu_args_machine() - appends what the state of the machine depends on, but for what is in the
 * files. qemu_args_all(): the whole command line, but for qemu_args_ends(): the serial line, QEMU's
 * end of the socket for QMP, and where `is_restored` that it waits for qmp_load().
 */
void qemu_args_machine(struct args *args, const struct qemu_machine *machine,
		       const struct launch *launch);
void qemu_args_all(struct args *args, const struct qemu_machine *machine,
		   const struct launch *launch);
void qemu_args_ends(struct args *args, int monitor, bool is_restored);

/* A file; and what it is to the machine, whose state depends on what is in it. */
struct qemu_content {
	const char *what, *path;
};

/* qemu_describe_cpus() - appends the CPUs, for people, behind a comma. */
void qemu_describe_cpus(struct buf *out, const struct options *options);

/*
 * qemu_describe_words() - appends a line for each word of the part of a command line that the state
 * of a machine depends on, QEMU's file, and what is in `contents`, up to one that has no path. 0,
 * or -E with the reason.
 */
int qemu_describe_words(struct buf *out, const struct args *args, const char *qemu,
			const struct qemu_content *contents, struct reason *why);

/* qemu_vpmu_words() - appends what vpmu plays: the personality, and `between` and a word for each
 * thing that is told of it. qemu_vpmu_options(): as vpmu is told, with a blank behind. */
void qemu_vpmu_words(struct buf *out, const struct options *options, const char *between);
void qemu_vpmu_options(struct buf *out, const struct options *options);

/* qemu_args_line() - appends the words, quoted for a shell. */
void qemu_args_line(struct buf *out, const struct args *args);

/* qemu_args_print() - as a line to standard error, quoted for a shell. */
void qemu_args_print(const struct args *args);
void qemu_args_free(struct args *args);

#endif
