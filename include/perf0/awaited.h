/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * awaited.h - a vpmu that gets its options later, so that the machine can be saved before: what
 * comes before them is the same whatever they are.
 *
 * Its load options are `await=MS` and nothing else. It sends the mark MARK_AWAIT (marks.h), waits
 * for AWAITED_BYTE on the same line, and takes for its options what is in the file AWAITED_OPTIONS
 * of QEMU's fw_cfg; files whose names begin with AWAITED_FILES are on a volume of the firmware's
 * from then on, without that. A machine that is restored sees the files of the new QEMU.
 *
 * It goes on when a multiple of MS milliseconds has passed since the mark, and sleeps until then;
 * 0: at once. So a machine whose clock goes by instructions goes on at the same moment however long
 * it waited, if that was less than MS by its own clock; and so does one that was saved meanwhile.
 * While it waits that clock is slow: at 4 ns an instruction QEMU takes some 9 s for one of its
 * seconds, at 16 ns some 2 s.
 */
#ifndef PERF0_AWAITED_H
#define PERF0_AWAITED_H

#define AWAITED_WORD    "await"
#define AWAITED_BYTE    '\x16'
#define AWAITED_OPTIONS "opt/perf0/vpmu"
#define AWAITED_FILES   "opt/perf0/files/"

#define AWAITED_MS_MOST 60000

#endif
