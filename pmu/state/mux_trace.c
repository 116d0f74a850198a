// SPDX-License-Identifier: BSD-2-Clause
/* mux_trace.c - see mux_trace.h. */
#define TRACE_DEFINE
#include "pmu/state/mux_trace.h"
