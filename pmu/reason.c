// SPDX-License-Identifier: BSD-2-Clause
/* reason.c - see reason.h. */
#include "pmu/reason.h"

#include "lib/printf.h"

int pmu_refuse(struct pmu_reason *why, int error, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	if (why)
		fmt_vwords(why->text, sizeof(why->text), format, args);
	va_end(args);
	return -error;
}
