/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * marks.h - marks on the serial line of a machine on which vpmu starts an image with `text=marked`.
 * They separate the output of the firmware, of vpmu and of the image. A mark is MARK_BYTE, a word,
 * and a line end, and may stand anywhere in a line.
 *
 *   await   vpmu waits for its options (awaited.h); only where it gets them late
 *   begin   output of vpmu follows
 *   start   output of the image follows; missing if it was never started
 *   end     a blank and the EFI_STATUS of the image follow, as 16 hexadecimal digits; then the
 *           machine switches off
 *   died    the state of the CPU follows, and in the last line the reason; then the machine resets
 */
#ifndef PERF0_MARKS_H
#define PERF0_MARKS_H

#define MARK_BYTE  '\x16'
#define MARK_AWAIT "vpmu-await"
#define MARK_BEGIN "vpmu-begin"
#define MARK_START "vpmu-start"
#define MARK_END   "vpmu-end"
#define MARK_DIED  "vpmu-died"
#define MARK_MOST  32 /* bytes of a mark, without MARK_BYTE and the line end */

/* Without marks, this line follows the reason why vpmu starts nothing. The machine stays. */
#define VPMU_STARTS_NOTHING "vpmu: nothing is started"

#define MARKED_PORT 0x3f8u /* COM1, a 16550 as the firmware has set it up */

#endif
