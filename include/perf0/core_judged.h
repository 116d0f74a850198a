/* SPDX-License-Identifier: BSD-2-Clause */
/* core_judged.h - made by `tests/accuracy/compare --judged`: the mean error of blocks' cycles
 * beside silicon, in 1/10 of a percent. ROW(core, error). */
#ifndef PERF0_CORE_JUDGED_H
#define PERF0_CORE_JUDGED_H

#define CORE_JUDGED(ROW) ROW(zen3, 95) ROW(zen4, 54)

#endif
