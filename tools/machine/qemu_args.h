/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * qemu_args.h - builds the command line of a QEMU, and finds the files in it. qemu.c starts QEMU;
 * qemu_describe.c describes the inputs of its state.
 */
#ifndef TOOLS_MACHINE_QEMU_ARGS_H
#define TOOLS_MACHINE_QEMU_ARGS_H

#include <limits.h>

#include "tools/machine/qemu.h"

#define QEMU_ARGS_MOST 96

/* A UEFI firmware: its code, and its variable store. */
struct firmware {
	const char *code, *vars;
};

/*
 * firmware_find() - returns the installed firmware; NULL with the reason: none is installed.
 */
const struct firmware *firmware_find(struct reason *why);

/* The files from which a machine starts. */
struct launch {
	const struct firmware *firmware; /* NULL: QEMU's own BIOS */
	char esp[PATH_MAX];              /* the file system of the stick, for UEFI */
	char kernel[PATH_MAX];           /* started by the firmware */
	char image[PATH_MAX];            /* started by vpmu, for the BIOS */
	struct buf load_options;
	/* Files in memory, which QEMU inherits and opens by /proc/self/fd; -1: none. */
	int options;  /* for vpmu and, behind them, for the image */
	int commands; /* for the image */
	int programs; /* the pack of ELF files for the image */
	int initrd;   /* an archive with `image` */
};

/*
 * launch_find() - finds the files of a machine and its load options, and opens none. launch_open()
 * - opens those that QEMU gets as files in memory. Both return 0, or -E with the reason.
 * launch_end() - frees and closes everything, in any case.
 */
int launch_find(struct launch *launch, const struct machine_options *options, struct reason *why);
int launch_open(struct launch *launch, const struct qemu_machine *machine, struct reason *why);
void launch_end(struct launch *launch);

struct args {
	char *v[QEMU_ARGS_MOST + 1];
	size_t n;
};

/* qemu_args_add() - adds one word. qemu_args_words() - adds words up to a NULL. */
void qemu_args_add(struct args *args, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void qemu_args_words(struct args *args, const char *const *words);

/*
 * qemu_args_file() - adds `option` with properties; the last one, `name`, is the path of a file.
 * qemu_args_drive() - adds a drive with that file. qemu_args_memory() - adds `option` with the file
 * in memory `fd`, if there is one.
 */
void qemu_args_file(struct args *args, const char *option, const char *properties, const char *name,
		    const char *path);
void qemu_args_drive(struct args *args, const char *properties, const char *path);
void qemu_args_memory(struct args *args, const char *option, const char *properties, int fd);

/*
 * qemu_args_firmware() - adds the firmware's code, without its variable store: OVMF then has its
 * variables in memory. QEMU takes 0.8 s of a start for those that OVMF writes into flash memory.
 */
void qemu_args_firmware(struct args *args, const struct firmware *firmware);

/*
 * qemu_args_plugin() - adds the plugin that counts, with the file `page` as the memory of the
 * device `qemu_events_device` (words up to a NULL). qemu_args_counting() - adds the same with the
 * memory of `counting`, if it has any.
 */
extern const char *const qemu_events_device[];
void qemu_args_plugin(struct args *args, const struct counting *counting, const char *page);
void qemu_args_counting(struct args *args, const struct counting *counting);

/*
 * qemu_args_await() - makes vpmu wait for its options, which it reads from a file of fw_cfg.
 * qemu_args_options() - adds this file, which is the file in memory `options`.
 * qemu_keep_options() - returns the descriptor of such a file with `text`, which QEMU inherits, or
 * -E with the reason.
 */
void qemu_args_await(struct args *args, const struct machine_options *options);
void qemu_args_options(struct args *args, int options);
int qemu_keep_options(const struct buf *text, struct reason *why);

/* qemu_args_board() - adds CPUs, memory and clock as vpmu needs them. */
struct qemu_board {
	uint32_t mib;
	unsigned shift;  /* an instruction takes 2 to the power of this ns, if the clock counts
			    instructions */
	bool one_thread; /* one host thread runs all CPUs in turn */
	const struct saved_memory
		*memory; /* that of the machine; NULL, or fd -1: QEMU has its own */
};
void qemu_args_board(struct args *args, const struct machine_options *options,
		     const struct qemu_board *board);

/*
 * qemu_args_machine() - appends the options on which the saved state depends, except for the
 * contents of files. qemu_args_all() - appends the whole command line except for qemu_args_ends().
 * qemu_args_ends() - appends the serial line, QEMU's end of the QMP socket and, if `is_restored`,
 * that QEMU waits for qmp_load().
 */
void qemu_args_machine(struct args *args, const struct qemu_machine *machine,
		       const struct launch *launch);
void qemu_args_all(struct args *args, const struct qemu_machine *machine,
		   const struct launch *launch);
void qemu_args_ends(struct args *args, int monitor, bool is_restored);

/* A file whose contents affect the machine's state, and its role. */
struct qemu_content {
	const char *what, *path;
};

/* qemu_describe_cpus() - appends a comma and the CPUs, for people. */
void qemu_describe_cpus(struct buf *out, const struct machine_options *options);

/*
 * qemu_describe_words() - appends the words of a command line on which the machine's state depends,
 * a line each. Appends also QEMU's file and the contents of `contents`, up to an entry without a
 * path. 0, or -E with the reason.
 */
int qemu_describe_words(struct buf *out, const struct args *args, const char *qemu,
			const struct qemu_content *contents, struct reason *why);

/*
 * qemu_describe_counting() - appends the plugin and its level, which its page in the machine's
 * memory names. 0, or -E with the reason.
 */
int qemu_describe_counting(struct buf *out, const struct counting *counting, struct reason *why);

/*
 * qemu_vpmu_words() - appends vpmu's personality, and `between` and a word for each of its options.
 * qemu_vpmu_options() - appends the options as vpmu takes them, and a blank.
 */
void qemu_vpmu_words(struct buf *out, const struct vpmu_options *options, const char *between);
void qemu_vpmu_options(struct buf *out, const struct vpmu_options *options);

/* qemu_args_line() - appends the words, quoted for a shell. */
void qemu_args_line(struct buf *out, const struct args *args);

/* qemu_args_print() - prints the words as a line to standard error, quoted for a shell. */
void qemu_args_print(const struct args *args);
void qemu_args_free(struct args *args);

#endif
