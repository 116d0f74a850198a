// SPDX-License-Identifier: BSD-2-Clause
#include "rt/syscall/syscall.h"
const struct syscall_row syscall_perf_event_rows[] = {{0, NULL}};
