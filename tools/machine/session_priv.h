/* SPDX-License-Identifier: BSD-2-Clause */
/* session_priv.h - the state of a session, which session.c and session_report.c share. */
#ifndef TOOLS_MACHINE_SESSION_PRIV_H
#define TOOLS_MACHINE_SESSION_PRIV_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/events/solver.h"
#include "tools/kvm/kvm_run.h"
#include "tools/machine/copied_out.h"
#include "tools/machine/input.h"
#include "tools/machine/missing_report.h"
#include "tools/machine/qemu.h"
#include "tools/machine/session.h"
#include "tools/machine/shared_file.h"
#include "tools/machine/upload.h"
#include "tools/machine/warm.h"
#include "tools/program/crash.h"
#include "tools/stream/line_marks.h"
#include "tools/stream/typing.h"
#include "tools/util/run_output.h"

/* Why the loop ended. */
enum session_end {
	RUNNING,
	SAID_BYE,
	PROMPTS,  /* a machine that stays has finished its line */
	NOT_SENT, /* it prompts, because the programs of its line did not arrive */
	IS_SAVED,
	GUEST_GONE,
	NOTHING_STARTS,  /* vpmu refuses to start the image */
	MACHINE_STOPPED, /* by QEMU, for good: `stopped` says why */
	KILLED_TIMEOUT,
	KILLED_SIGNAL,
	OUTPUT_FAILED
};

/* A frame that begins each stream of a machine that stays: HELLO, and the places of CPUs. */
struct kept_frame {
	enum wire_type type;
	struct buf payload;
};
enum { KEPT_HELLO, KEPT_CPUS, KEPT_FRAMES };

/* The progress of a machine. QEMU is asked for one item after the other. */
struct progress {
	bool asks;                           /* a terminal shows it */
	uint64_t asked;                      /* ms; of the last question to QEMU */
	unsigned question;                   /* 0: the time; from 1 on: that CPU's samples;
						or STATE_QUESTION */
	int64_t began, passed;               /* s, of its own time; 0: not known */
	uint64_t before;                     /* samples of earlier lines */
	uint64_t taken[SHARED_SAMPLES_CPUS]; /* samples, with the earlier ones */
	uint64_t first_step, steps_since;    /* the first step that was seen done, and when: ms */
};

struct session {
	const struct options *options;
	const struct session_files *files;
	struct console console;
	struct marks marks; /* text before HELLO */
	struct frame_reader reader;
	struct stream *stream;
	struct qemu qemu;
	struct counting counting;
	struct saved_memory memory; /* the machine's; fd -1: QEMU has it */
	struct shared shared;       /* memory; fd -1: all bytes come over the serial line */
	struct warm warm;
	struct kvm_run kvm;
	struct typing typing;
	struct bring bring;
	struct input input;
	struct solver solver;
	struct sought sought;
	struct crashes crashes;
	struct typed_line line;      /* line that a machine that stays runs; empty: it starts */
	struct upload_sender upload; /* sends the programs that the line names */
	bool uploads;                /* programs are being sent, before the line */
	struct kept_frame kept[KEPT_FRAMES];
	bool stays;       /* the machine stays: it prompts, and runs one line after the other */
	bool is_up;       /* QEMU was started, and has not been ended */
	bool runs;        /* a command runs; text outside of one is the prompt, or an echo */
	bool has_options; /* vpmu has its options, and the image's */
	bool commanded;   /* the image has its commands */
	enum warm_level waits; /* the machine waits there; WARM_NONE: it runs */
	bool only_saves;       /* the machine is only saved, and gets no commands */
	int signals;
	enum session_end end;
	int signal;       /* the first that arrived, 0: none */
	bool timed_out;   /* --timeout asked the guest to end */
	uint64_t start;   /* ms */
	uint64_t limited; /* ms; start of what has a time limit: the run, or a command of a line */
	uint64_t asked;   /* ms; when the guest was asked to end, 0: not yet */
	uint64_t last_byte; /* ms */
	uint64_t drawn;     /* ms; of the progress line */
	uint64_t received;  /* bytes since HELLO */
	uint64_t reads;     /* of the serial line */
	size_t unwatched;   /* bytes from the ring since the last look at clock and signals */
	bool floods;        /* the guest still sends after the end: no more bytes are taken */
	struct progress progress;
	struct buf messages;  /* from QEMU */
	uint64_t state_asked; /* ms; when QEMU was asked for its state last */
	char stopped[QMP_STATE_MAX];
};

/*
 * session_report() - reports the end of a run, or of a line of a machine that stays, and returns
 * the exit status. `wait_status` is QEMU's, if it has ended.
 */
int session_report(struct session *s, int wait_status);

/* session_time_limit() - seconds from the start until the machine is ended; 0: no limit. */
uint32_t session_time_limit(const struct session *s);

#endif
