/* SPDX-License-Identifier: BSD-2-Clause */
/* ask_shares.h - the best shares of groups by policy fair, found by the host tool before they run.
 */
#ifndef APPS_MEASURE_ASK_SHARES_H
#define APPS_MEASURE_ASK_SHARES_H

#include <stdbool.h>

/*
 * shares_ask() - where policy fair would search for the shares of the open events of this CPU and
 * of the first task: asks the host tool. Without a tool, or with a wrong answer, the search runs in
 * the interrupts that end slices. Returns whether the tool's answer was taken. Task context.
 */
bool shares_ask(void);

#endif
