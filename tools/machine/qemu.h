/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * qemu.h - one QEMU: its command line, its process, its serial line.
 *
 * The tool ends its own process by pid, and the kernel ends QEMU when the tool dies. Nothing is
 * left in the file system.
 */
#ifndef TOOLS_MACHINE_QEMU_H
#define TOOLS_MACHINE_QEMU_H

#include <stdbool.h>
#include <sys/types.h>

#include "tools/machine/qmp.h"
#include "tools/util/buf.h"
#include "tools/util/run_output.h"
#include "tools/options/machine_options.h"
#include "lib/reason.h"
#include "tools/machine/counting.h"
#include "tools/machine/shared_file.h"

/* Under icount, an instruction takes 2 to the power of this ns of virtual time. */
#define QEMU_ICOUNT_SHIFT 4

struct saved_memory; /* tools/saved/pages.h */

struct qemu {
	pid_t pid;
	int to_guest;   /* bytes for the serial line */
	int from_guest; /* bytes from it, non-blocking; ends when QEMU does */
	int messages;   /* QEMU's standard error, non-blocking */
	struct qmp qmp; /* further requests to QEMU */
};

/* The machine to start. */
struct qemu_machine {
	const struct machine_options *options;
	const char *commands;  /* commands for the image to run first; "": it prompts */
	struct shared *shared; /* memory; NULL, as with --serial: the machine shares none */
	const struct counting *counting;
	const struct saved_memory *memory; /* the machine's; NULL, or fd -1: QEMU has its own */
	bool verbose;                      /* the command line is printed to standard error */
};

/*
 * qemu_start() - starts a machine whose image sends AWAIT after its start. The firmware boots it,
 * or if `is_restored`, qmp_load() does; its memory is of zeros. Returns 0, or -E with the reason.
 */
int qemu_start(struct qemu *qemu, const struct qemu_machine *machine, bool is_restored,
	       struct reason *why);

struct args;   /* qemu_args.h */
struct no_tpm; /* no_tpm.h */

/*
 * qemu_launch() - starts a QEMU whose command line is `args`, beginning with its name, and the
 * words of qemu_args_ends(). Its standard input and output are the serial line. It inherits all
 * descriptors without O_CLOEXEC. `boots`: how its firmware learns that there is no TPM; NULL: the
 * machine is restored by qmp_load(). `is_told`: prints the command line to standard error. Returns
 * 0, or -E with the reason.
 */
int qemu_launch(struct qemu *qemu, struct args *args, const struct no_tpm *boots, bool is_told,
		struct reason *why);

/*
 * qemu_describe() - appends all inputs of the state of a machine that has sent AWAIT. These are a
 * line for people, QEMU's file and command line, and the contents of the files that it reads. Two
 * machines with the same text have the same state. Returns 0, or -E with the reason.
 */
int qemu_describe(struct buf *out, const struct qemu_machine *machine, struct reason *why);

/*
 * qemu_describe_firmware() - like qemu_describe(), of a machine whose vpmu waits for its options
 * (include/perf0/awaited.h). The state does not depend on these, nor on the image's.
 */
int qemu_describe_firmware(struct buf *out, const struct qemu_machine *machine, struct reason *why);

/*
 * qemu_take_messages() - appends QEMU's standard error to `messages`, which keeps the first bytes.
 * qemu_show_messages() - prints them line by line, without warnings unless `all`: QEMU never ends
 * because TCG lacks features of a CPU model.
 */
void qemu_take_messages(const struct qemu *qemu, struct buf *messages);
void qemu_show_messages(struct buf *messages, bool all, struct console *console);

/*
 * qemu_end() - ends QEMU, waits for it, closes its descriptors. If `is_gone`, because the serial
 * line ended, QEMU gets time to exit by itself. Returns its wait status.
 */
int qemu_end(struct qemu *qemu, bool is_gone);

/* qemu_awaits_options() - returns whether vpmu waits for its options (include/perf0/awaited.h). */
bool qemu_awaits_options(const struct machine_options *options);

/* qemu_memory() - returns the MiB of the machine's memory. */
uint32_t qemu_memory(const struct machine_options *options);

/* qemu_is_exact() - returns whether the machine's clock counts instructions. */
bool qemu_is_exact(const struct machine_options *options);

/*
 * qemu_load_options() - appends the options of the first program. vpmu waits for them; without vpmu
 * the firmware passes them to the image.
 */
void qemu_load_options(struct buf *out, const struct machine_options *options);

#endif
