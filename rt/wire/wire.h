/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire.h - the sender of include/perf0/wire_frames.h: frames in sequence on the UART, and the
 * results of each command. Nothing here runs while a workload is measured, unless wire_live_begin()
 * was called. Task context unless stated otherwise.
 */
#ifndef RT_WIRE_WIRE_H
#define RT_WIRE_WIRE_H

#include "include/perf0/fair_solution.h"
#include "include/perf0/wire_frames.h"

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct handoff;
struct rb;
struct rb_aux;

/* wire_init() - stores the content of HELLO. The first frame of any kind sends HELLO before it. */
void wire_init(const struct handoff *handoff);

/*
 * wire_enable() - sets whether frames go over the line. At first they do not: then the functions
 * below do nothing, unless frames are kept (kept.h), and a person at a terminal sees only text.
 * wire_enabled() - are frames made, for the line or to be kept?
 */
void wire_enable(bool on);
bool wire_enabled(void);

/* wire_hello() - sends HELLO now, once. wire_hello_again() - repeats the same HELLO for another
 * listener, if it was sent. */
void wire_hello(void);
void wire_hello_again(void);

/* wire_input() - sends a struct wire_input: on the boot CPU, in any context that sends text. */
void wire_input(uint64_t at, uint32_t bytes);

void wire_text(enum wire_text_kind kind, const char *text, size_t n);

/*
 * wire_solve() - asks the host tool to solve the problem, and copies its answer, which is not
 * checked. False: there is no tool that could, or it has no answer. Task context.
 */
bool wire_solve(const struct fair_problem *problem, struct fair_solution *solution);

/* wire_taken() - answers a frame that was typed. Does nothing if no listener has asked for
 * frames. */
void wire_taken(const struct wire_taken *answer);

/* wire_await() - the image has started and waits. Before HELLO. */
void wire_await(void);

/* wire_begin() - a command starts; its number is in every frame up to wire_result(). */
void wire_begin(const char *command_line);

/* wire_event() - announces an event whose samples will come, opened for `n` targets, at most
 * WIRE_MAX_TARGETS. */
#define WIRE_MAX_TARGETS 256
struct wire_target {
	uint64_t id;
	int cpu; /* -1: any */
};
void wire_event(const struct perf_event_attr *attr, const char *name,
		const struct wire_target *targets, unsigned n);

/* wire_format() - the format of a tracepoint with events in the recording. After those events. */
void wire_format(uint32_t id, const char *system, const char *name, const char *format);

/* wire_count() - the count of one event. `error` is 0 or -errno; `truth` as in truth.h. `cgroup` is
 * the cgroup that the event is for; "": none; NULL: no event of the command is for one. */
void wire_count(const char *name, const char *cgroup, unsigned cpu, int error, uint8_t truth,
		uint64_t value, uint64_t enabled, uint64_t running);

/*
 * wire_prepare() - allocates what sending records of CPU `cpu` needs. -ENOMEM.
 *
 * wire_drain() - sends all records of that CPU's ring, packed, and frees their room. wire_sent() -
 * bytes of records that this command has sent. wire_line_bytes() - the bytes that these took on the
 * line, with frames and repeated announcements.
 */
int wire_prepare(unsigned cpu);
void wire_drain(struct rb *rb, unsigned cpu);
uint64_t wire_sent(void);
uint64_t wire_line_bytes(void);

/*
 * wire_drain_trace() - sends the rest of an AUX area, as the last of its command: what was not sent
 * yet, or of an overwritten area its content from number `from` on. Nothing writes to the area
 * meanwhile. Returns the bytes sent.
 */
struct wire_trace {
	struct rb_aux *aux;
	unsigned cpu;
	uint64_t id;   /* id of the event that writes to the area */
	uint32_t tid;  /* the traced task; 0: any task that runs */
	uint64_t from; /* overwritten area: earlier snapshots end here */
};
uint64_t wire_drain_trace(const struct wire_trace *trace);

/* A copy of such an area at one moment: `size` bytes from number `offset` on. */
struct wire_snapshot {
	const void *bytes;
	uint64_t offset, size;
	uint64_t tsc; /* when it was taken */
};

/* wire_send_snapshot() - sends a snapshot; before wire_drain_trace() of the same area, in the order
 * in which they were taken. */
void wire_send_snapshot(const struct wire_trace *trace, const struct wire_snapshot *snapshot);

/* One ring that is sent live, and the AUX area beside it. */
struct wire_ring {
	struct rb *rb;
	unsigned cpu;                   /* CPU of the ring, prepared by wire_prepare() */
	const struct wire_trace *trace; /* NULL: there is none */
	struct wire_ring *next;         /* NULL: the last one */
};

/*
 * wire_live_begin() - from now on the list `rings` is drained while the workload runs: in
 * interrupts of ring 0 on this CPU, after wire_wakeup(), and some times a second. Frames go to a
 * queue, which interrupts of the line empty. When the queue is full, records stay in the rings and
 * the workload continues. -ENOMEM: there is no memory for the queue. wire_live_end() - sends what
 * is queued, and waits until that is done.
 */
int wire_live_begin(struct wire_ring *rings);
void wire_live_end(void);

/* wire_wakeup() - notes that `rb` has enough records to be drained. Any context and CPU, NMI
 * too. */
void wire_wakeup(struct rb *rb);

/* wire_line_served() - an interrupt of the line was handled: there may be room again. IRQ
 * context. */
void wire_line_served(void);

/*
 * wire_file() - sends `n` bytes, at most WIRE_FILE_BYTES, of a file that the host tool asked for.
 * `head` says which bytes of which file, and gets the number of the command.
 */
#define WIRE_FILE_BYTES (WIRE_MAX_PAYLOAD - sizeof(struct wire_file))
void wire_file(struct wire_file *head, const void *bytes, size_t n);

/* wire_sought() - sends `n` bytes of terminated paths of missing files, at most
 * WIRE_MAX_PAYLOAD. */
void wire_sought(const char *paths, size_t n);

/* wire_crash() - sends a struct wire_crash, which gets the number of the command, and the data of
 * its part: `n` bytes together. */
void wire_crash(const void *payload, size_t n);

/* wire_noise() - sends the noise certificate of a measurement: `flags` of enum wire_noise_flags,
 * and its line. */
void wire_noise(uint32_t flags, const char *line);

/* wire_report() - sends `n` bytes of results in the form of -j. Contexts as wire_text(). */
void wire_report(const char *text, size_t n);

/* wire_books() - adds the books of a measurement to those of the running command. */
void wire_books(const struct wire_books *books);

void wire_result(int status);

/* wire_prompt() - the console waits for a line; `status` is that of the last line. */
void wire_prompt(int status);
void wire_bye(int status);

#endif
