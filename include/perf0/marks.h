/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * marks.h - the serial line of a machine on which vpmu starts an image with `text=marked`: what is
 * the firmware's, what vpmu's, and what the image's. A mark is MARK_BYTE, a word, and a line end,
 * and stands wherever the line is then. Behind `begin` vpmu speaks; behind `start` the image;
 * behind `end` stands a blank and the EFI_STATUS that it ended with, as 16 hexadecimal digits, and
 * the machine goes off. An image that was never started has no `start`. Before all of them there is
 * `await` where vpmu gets its options later (awaited.h): it waits there. Behind `died` stand the
 * state of the CPU and, in the last line, why vpmu ends the machine, which is reset then.
 */
#ifndef PERF0_MARKS_H
#define PERF0_MARKS_H

#define MARK_BYTE  '\x16'
#define MARK_AWAIT "vpmu-await"
#define MARK_BEGIN "vpmu-begin"
#define MARK_START "vpmu-start"
#define MARK_END   "vpmu-end"
#define MARK_DIED  "vpmu-died"
#define MARK_MOST  32 /* bytes of one, without the byte and the line end */

#define MARKED_PORT 0x3f8u /* COM1, a 16550 as the firmware leaves it */

#endif
