// SPDX-License-Identifier: BSD-2-Clause
/* trap_trace.c - see trap_trace.h. */
#define TRACE_DEFINE
#include "arch/x86/cpu/trap_trace.h"
