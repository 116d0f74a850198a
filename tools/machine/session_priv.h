/* SPDX-License-Identifier: BSD-2-Clause */
/* session_priv.h - what a session is, for session.c, which runs it, and session_report.c. */
#ifndef TOOLS_MACHINE_SESSION_PRIV_H
#define TOOLS_MACHINE_SESSION_PRIV_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/machine/copied_out.h"
#include "tools/machine/input.h"
#include "tools/machine/missing_report.h"
#include "tools/machine/qemu.h"
#include "tools/machine/session.h"
#include "tools/machine/shared_file.h"
#include "tools/machine/upload.h"
#include "tools/machine/warm.h"
#include "tools/program/crash.h"
#include "tools/stream/typing.h"
#include "tools/util/run_output.h"

/* Why the loop ended. */
enum session_end {
	RUNNING,
	SAID_BYE,
	PROMPTS,  /* a machine that stays has done with its line */
	NOT_SENT, /* it prompts, for it did not get the programs of its line */
	IS_SAVED,
	GUEST_GONE,
	KILLED_TIMEOUT,
	KILLED_SIGNAL,
	OUTPUT_FAILED
};

/* A frame that each stream of a machine that stays begins with: HELLO, and where the CPUs are. */
struct kept_frame {
	enum wire_type type;
	struct buf payload;
};
enum { KEPT_HELLO, KEPT_CPUS, KEPT_FRAMES };

/* How far a machine has come, which QEMU is asked for one thing after the other. */
struct progress {
	bool asks;                           /* there is a terminal to tell it */
	uint64_t asked;                      /* ms; when QEMU was, last */
	unsigned question;                   /* 0: the time; from 1 on: that CPU's samples */
	int64_t began, passed;               /* s, of its own time; 0: not known */
	uint64_t before;                     /* samples that it had taken before */
	uint64_t taken[SHARED_SAMPLES_CPUS]; /* samples, with these */
	uint64_t first_step, steps_since;    /* the first that was seen done, and when: ms */
};

struct session {
	const struct options *options;
	const struct session_files *files;
	struct console console;
	struct frame_reader reader;
	struct stream *stream;
	struct qemu qemu;
	struct counting counting;
	struct shared shared; /* memory; fd -1: all comes over the serial line */
	struct warm warm;
	struct typing typing;
	struct bring bring;
	struct input input;
	struct sought sought;
	struct crashes crashes;
	struct typed_line line;      /* that a machine that stays runs; empty: it starts */
	struct upload_sender upload; /* of the programs that it names */
	bool uploads;                /* now, before the line */
	struct kept_frame kept[KEPT_FRAMES];
	bool stays;     /* it prompts, and runs one line after the other */
	bool is_up;     /* QEMU was started, and has not been ended */
	bool runs;      /* a command: what comes outside of one is the prompt, and what was typed */
	bool awaits;    /* the image has started, and waits for its commands */
	bool commanded; /* it has been told to go on */
	bool only_saves; /* it gets no commands */
	int signals;
	enum session_end end;
	int signal;         /* that arrived first, 0: none */
	bool timed_out;     /* the guest was asked to end because of --timeout */
	uint64_t start;     /* ms */
	uint64_t asked;     /* ms; when the guest was asked to end, 0: not yet */
	uint64_t last_byte; /* ms */
	uint64_t drawn;     /* ms; when the progress line was */
	uint64_t received;  /* bytes since HELLO */
	size_t unwatched;   /* bytes from the ring since clock and signals were looked at */
	bool floods;        /* it went on sending when that had ended the loop: no more is taken */
	struct progress progress;
	struct buf messages; /* of QEMU */
};

/*
 * session_report() - what a run, or a line of a machine that stays, comes to: says what is to be
 * said, and returns the exit status. `wait_status` is QEMU's, where it has ended.
 */
int session_report(struct session *s, int wait_status);

/* session_time_limit() - seconds from the start until the machine is ended; 0: it is not. */
uint32_t session_time_limit(const struct session *s);

#endif
