/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire.h - the sender of include/perf0/wire_frames.h: frames in sequence on the UART, and the
 * results of each command. Nothing here runs while a workload is measured, unless wire_live_begin()
 * was called. Task context unless stated otherwise.
 */
#ifndef RT_WIRE_WIRE_H
#define RT_WIRE_WIRE_H

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
 * wire_enable() - frames go out from now on, or not. Off, as at first, the functions below do
 * nothing, so that a person at a terminal sees text only, unless frames are kept (kept.h).
 * wire_enabled() - whether frames are made, for the line or to be kept.
 */
void wire_enable(bool on);
bool wire_enabled(void);

/* wire_hello() - sends HELLO now, once. wire_hello_again(): repeats the same HELLO, if it was
 * sent, for another listener. */
void wire_hello(void);
void wire_hello_again(void);

/* wire_input() - what struct wire_input says: on the boot CPU, any context that sends text. */
void wire_input(uint64_t at, uint32_t bytes);

void wire_text(enum wire_text_kind kind, const char *text, size_t n);

/* wire_taken() - answers a frame that was typed; where no listener has asked for frames, nothing.
 */
void wire_taken(const struct wire_taken *answer);

/* wire_await() - the image has started, and waits: before HELLO. */
void wire_await(void);

/* wire_begin() - a command starts; its number is in every frame up to wire_result(). */
void wire_begin(const char *command_line);

/* wire_event() - announces an event whose samples will come, as it was opened for `n` targets, up
 * to WIRE_MAX_TARGETS. */
#define WIRE_MAX_TARGETS 256
struct wire_target {
	uint64_t id;
	int cpu; /* -1: any */
};
void wire_event(const struct perf_event_attr *attr, const char *name,
		const struct wire_target *targets, unsigned n);

/* wire_format() - the format of a tracepoint with events in the recording; after these. */
void wire_format(uint32_t id, const char *system, const char *name, const char *format);

/* wire_count() - one event's count; `error` 0 or -errno; `truth` as truth.h has it. `cgroup`: that
 * it is for, "": none, or NULL where no event of the command is for one. */
void wire_count(const char *name, const char *cgroup, unsigned cpu, int error, uint8_t truth,
		uint64_t value, uint64_t enabled, uint64_t running);

/*
 * wire_prepare() - records of CPU `cpu` can be sent from now on. -ENOMEM.
 *
 * wire_drain() - sends all that stands in that CPU's ring, packed, and frees it. wire_sent(): bytes
 * of records that this command sent. wire_line_bytes(): so many bytes that made on the line, frames
 * and what is said again for late listeners included.
 */
int wire_prepare(unsigned cpu);
void wire_drain(struct rb *rb, unsigned cpu);
uint64_t wire_sent(void);
uint64_t wire_line_bytes(void);

/*
 * wire_drain_trace() - sends all that stands in an AUX area, as the last of its command: what was
 * not sent yet, or of an area that is overwritten what it holds from number `from` on. Nothing
 * writes there meanwhile. Returns the bytes sent.
 */
struct wire_trace {
	struct rb_aux *aux;
	unsigned cpu;
	uint64_t id;   /* of the event that writes there */
	uint32_t tid;  /* of the task that is traced; 0: whichever runs */
	uint64_t from; /* overwritten: what was in snapshots before ends here */
};
uint64_t wire_drain_trace(const struct wire_trace *trace);

/* A copy of such an area at one moment: `size` bytes from number `offset` on. */
struct wire_snapshot {
	const void *bytes;
	uint64_t offset, size;
	uint64_t tsc; /* when it was taken */
};

/* wire_send_snapshot() - before wire_drain_trace() of the same area, one after the other as they
 * were taken. */
void wire_send_snapshot(const struct wire_trace *trace, const struct wire_snapshot *snapshot);

/* One ring that is sent live, and the AUX area beside it. */
struct wire_ring {
	struct rb *rb;
	unsigned cpu;                   /* that it is of, prepared by wire_prepare() */
	const struct wire_trace *trace; /* NULL: there is none */
	struct wire_ring *next;         /* NULL: the last one */
};

/*
 * wire_live_begin() - from now on the list `rings` is drained while the workload runs: in
 * interrupts of ring 0 of this CPU, whenever wire_wakeup() says so and some times a second besides,
 * into a queue that the line's interrupts bring out. A full queue leaves the records in the rings,
 * and the workload goes on. -ENOMEM: there is no memory for the queue. wire_live_end() brings out
 * what is queued, and waits for that.
 */
int wire_live_begin(struct wire_ring *rings);
void wire_live_end(void);

/* wire_wakeup() - there is enough in `rb` to be drained. Any context and CPU, NMI too; only notes
 * it. */
void wire_wakeup(struct rb *rb);

/* wire_line_served() - the line's interrupt was served: perhaps there is room again. IRQ context.
 */
void wire_line_served(void);

/*
 * wire_file() - `n` bytes of a file that the host tool asked for, at most WIRE_FILE_BYTES; `head`
 * says which bytes of which one, and gets the number of the command.
 */
#define WIRE_FILE_BYTES (WIRE_MAX_PAYLOAD - sizeof(struct wire_file))
void wire_file(struct wire_file *head, const void *bytes, size_t n);

/* wire_sought() - `n` bytes of terminated paths, at most WIRE_MAX_PAYLOAD. */
void wire_sought(const char *paths, size_t n);

/* wire_crash() - a struct wire_crash, which gets the number of the command, and what its part has:
 * `n` bytes together. */
void wire_crash(const void *payload, size_t n);

/* wire_noise() - the certificate of a measurement: `flags` of enum wire_noise_flags, and its line.
 */
void wire_noise(uint32_t flags, const char *line);

/* wire_report() - `n` bytes of results as -j prints them. Contexts as wire_text(). */
void wire_report(const char *text, size_t n);

/* wire_books() - adds a measurement's books to those of the running command. */
void wire_books(const struct wire_books *books);

void wire_result(int status);

/* wire_prompt() - the console waits for a line; the last one had this status. */
void wire_prompt(int status);
void wire_bye(int status);

#endif
