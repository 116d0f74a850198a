/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire.h - the sender of include/perf0/wire.h: frames in sequence on the UART, and the books of
 * each command. Nothing here runs while a workload is measured. Task context.
 */
#ifndef RT_WIRE_H
#define RT_WIRE_H

#include "include/perf0/wire.h"

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct handoff;
struct rb;

/* wire_init() - remembers what HELLO will say. The first frame of any kind sends HELLO before it.
 */
void wire_init(const struct handoff *handoff);

/*
 * wire_enable() - frames go out from now on, or not. Off, as at first, the functions below do
 * nothing, so that a person at a terminal sees text only. wire_enabled() tells.
 */
void wire_enable(bool on);
bool wire_enabled(void);

/* wire_hello() - says HELLO now, once. */
void wire_hello(void);

void wire_text(enum wire_text_kind kind, const char *text, size_t n);

/* wire_begin() - a command starts; its number is in every frame up to wire_result(). */
void wire_begin(const char *command_line);

/* wire_event() - announces an event whose samples will come, with its `nids` ids. */
void wire_event(const struct perf_event_attr *attr, const char *name, const uint64_t *ids,
		unsigned nids);

/* wire_count() - one event's count; `error` 0 or -errno. */
void wire_count(const char *name, unsigned cpu, int error, uint64_t value, uint64_t enabled,
		uint64_t running);

/*
 * wire_drain() - sends all that stands in CPU `cpu`'s ring, packed, and frees it. Returns the bytes
 * of records. wire_line_bytes(): so many bytes that made on the line, frames and what is said again
 * for late listeners included, in this command.
 */
uint64_t wire_drain(struct rb *rb, unsigned cpu);
uint64_t wire_line_bytes(void);

/* wire_books() - adds a measurement's books to those of the running command. */
void wire_books(const struct wire_books *books);

void wire_result(int status);
void wire_bye(int status);

#endif
