/* SPDX-License-Identifier: BSD-2-Clause */
/* guest_priv.h - the state of a run, which guest.c and guest_report.c share. */
#ifndef TOOLS_GUEST_GUEST_PRIV_H
#define TOOLS_GUEST_GUEST_PRIV_H

#include "tools/guest/guest_args.h"
#include "tools/stream/line_marks.h"
#include "tools/machine/counting.h"
#include "tools/machine/warm.h"
#include "tools/util/run_output.h"

enum guest_end {
	GUEST_RUNS,
	GUEST_RETURNED, /* the program returned marks.status */
	GUEST_TOLD,     /* the command ended with `status` */
	GUEST_REFUSED,  /* the command was not started; `wrong` says why */
	GUEST_WENT,     /* QEMU ended by itself */
	GUEST_TIMED_OUT,
	GUEST_KILLED, /* `signal` ended the run */
	GUEST_LEFT,   /* the user left by a key */
	GUEST_UNWRITTEN,
};

struct guest_run {
	const struct guest *guest;
	struct guest_files files;
	struct counting counting;
	struct warm warm;
	struct qemu qemu;
	struct marks marks;
	struct console console;
	enum guest_end end;
	int from[GUEST_LINES]; /* the tool's ends of the lines' pipes; -1: none */
	int signals, signal;
	bool awaits;        /* vpmu waits for its options */
	bool goes_on;       /* vpmu has its options */
	bool is_terminal;   /* the console is a terminal, which gets each byte */
	bool after_cr;      /* the console's text ended in CR */
	bool has_started;   /* the guest has been started */
	int status;         /* exit status of the command */
	struct buf says;    /* the incomplete line of the report on the run */
	bool is_line_whole; /* `wrong` has a complete line of vpmu from the end of the machine */
	struct buf wrong, messages, typed;
	struct buf events; /* events of QMP, as text */
	bool is_typed;     /* the tool's standard input goes to the guest, and has not ended */
	uint64_t start, drawn;
};

/* guest_time_limit() - returns the limit of the whole run in seconds; 0: none. */
uint32_t guest_time_limit(const struct guest_run *run);

/* guest_report() - prints the report and returns the exit status. `wait_status` is QEMU's. */
int guest_report(struct guest_run *run, int wait_status);

#endif
