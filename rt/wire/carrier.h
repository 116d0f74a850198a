/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * carrier.h - sends frames out of the machine: through shared memory if the host provides it, or
 * else over the UART. With shared memory the UART is a bell: WIRE_BELL after each frame wakes a
 * host that waits for the line. A writer that finds the shared ring full sleeps in HLT until the
 * host has emptied it. No result includes that time: it is subtracted from times of traces that are
 * being sent, and from the clock before the next command. Only rt/wire/ and the console include
 * this file; contexts as in wire.h.
 */
#ifndef RT_WIRE_CARRIER_H
#define RT_WIRE_CARRIER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LINE_QUEUE_BYTES (256 << 10) /* queue of the UART for live frames */

/* line_init() - chooses shared memory or the UART. After shared_init(). */
void line_init(void);

/* line_write() - writes one frame; waits for room. */
void line_write(const void *frame, size_t n);

/*
 * line_begin_live() - until line_end_live() frames are written in interrupts, which may not wait.
 * -ENOMEM: there is no memory for a queue. line_room() - the number of bytes that can be written
 * without waiting. line_want_room() - requests an interrupt of the line when there is room again.
 */
int line_begin_live(void);
void line_end_live(void);
size_t line_room(void);
void line_want_room(void);

/*
 * line_waited() - TSC ticks of waits that the clock still includes. Waits are not counted while
 * frames are written live: the measurement continues then. line_forget_waits() - subtracts them
 * from the clock. Task context.
 */
uint64_t line_waited(void);
void line_forget_waits(void);

/* line_emptied() - WIRE_TYPED_EMPTY was typed; false: nothing waits for it, so it is input. IRQ
 * context. */
bool line_emptied(void);

#endif
