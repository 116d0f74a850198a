// SPDX-License-Identifier: BSD-2-Clause
/*
 * shipped.c - see shipped.h. Each file begins with `cpus`, so that the files can be concatenated.
 */
#include "pmu/metrics/shipped.h"

__asm__(".section .rodata.metrics, \"a\"\n"
	".globl metrics_shipped_text, metrics_shipped_end\n"
	".hidden metrics_shipped_text, metrics_shipped_end\n"
	"metrics_shipped_text:\n"
	".incbin \"pmu/metrics/shipped/common.txt\"\n"
	".incbin \"pmu/metrics/shipped/intel.txt\"\n"
	".incbin \"pmu/metrics/shipped/amd.txt\"\n"
	"metrics_shipped_end:\n"
	".byte 0\n"
	".previous\n");

extern const char metrics_shipped_text[], metrics_shipped_end[];

const char *metrics_shipped(size_t *n)
{
	*n = (size_t)(metrics_shipped_end - metrics_shipped_text);
	return metrics_shipped_text;
}

int metrics_begin_shipped(struct metrics *m, const struct uarch *uarch, struct reason *why)
{
	size_t n;
	const char *text = metrics_shipped(&n);

	metrics_begin(m, uarch);
	return metrics_read(m, "shipped metrics", text, n, '\n', why);
}
