/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * awaited.h - a vpmu that gets its options late, so that the machine can be saved before. Nothing
 * that happens before depends on the options.
 *
 * The load options of such a vpmu are `await=MS` and nothing else. It sends the mark MARK_AWAIT
 * (marks.h) and waits for AWAITED_BYTE on the same line. Then it reads its options from the file
 * AWAITED_OPTIONS of QEMU's fw_cfg. From then on, files whose names begin with AWAITED_FILES appear
 * on a volume of the firmware, without that prefix. A restored machine sees the files of the new
 * QEMU.
 *
 * vpmu continues at the next multiple of MS milliseconds since the mark, and sleeps until then; 0:
 * it continues at once. So a machine whose clock counts instructions continues at the same moment
 * however long it waited, as long as that was less than MS by its own clock. The same holds for a
 * machine that was saved meanwhile. The clock is slow while vpmu waits: at 4 ns an instruction QEMU
 * takes some 9 s for one second of the machine, at 16 ns some 2 s.
 */
#ifndef PERF0_AWAITED_H
#define PERF0_AWAITED_H

#define AWAITED_WORD    "await"
#define AWAITED_BYTE    '\x16'
#define AWAITED_OPTIONS "opt/perf0/vpmu"
#define AWAITED_FILES   "opt/perf0/files/"

#define AWAITED_MS_MOST 60000

#endif
