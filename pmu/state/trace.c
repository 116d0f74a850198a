// SPDX-License-Identifier: BSD-2-Clause
/* trace.c - see trace.h. */
#define TRACE_DEFINE
#include "pmu/state/trace.h"
