/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * written.h - compares the records in a ring byte for byte.
 */
#ifndef TESTS_WRITTEN_H
#define TESTS_WRITTEN_H

#include "arch/x86/cpu/trap_frame.h"
#include "pmu/record/output.h"
#include "tests/shim/rig.h"
#include "pmu/record/record_sample.h"

#include <errno.h>
#include <linux/hw_breakpoint.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/test.h"

/* Values in all records: pid 7, tid 8, CPU 3, and these. */
#define ID        0x11
#define STREAM_ID 0x22
#define NOW       0x0102030405060708ull

#define ID_BYTES     "11 00 00 00 00 00 00 00 "
#define STREAM_BYTES "22 00 00 00 00 00 00 00 "
#define TASK_BYTES   "07 00 00 00 08 00 00 00 "
#define TIME_BYTES   "08 07 06 05 04 03 02 01 "
#define CPU_BYTES    "03 00 00 00 00 00 00 00 "

static struct pmu_event event;
static struct rb *ring;

static inline void setup(uint64_t sample_type, bool sample_id_all)
{
	struct perf_event_attr attr = rig_attr(PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS);

	rig_boot("skx", true);
	ring = rig_ring(16);
	attr.sample_period = 1000;
	attr.sample_id_all = sample_id_all;
	attr.sample_type = PERF_SAMPLE_IP;
	if (rig_open(&event, &attr, NULL))
		fail_msg("%s", rig.why.text);
	event.attr.sample_type = sample_type; /* whatever this machine gives */
	event.id = ID;
	event.stream_id = STREAM_ID;
	pmu_output_init(&event);
	assert_int_equal(pmu_event_set_output(&event, ring), 0);
	rig.current.cpu = 3;
	shim.ns = NOW;
}

static inline size_t read_hex(const char *hex, uint8_t *out)
{
	size_t n = 0;
	char *end;

	while (*hex) {
		out[n++] = (uint8_t)strtoul(hex, &end, 16);
		assert_ptr_equal(end, hex + 2);
		hex = end + strspn(end, " ");
	}
	return n;
}

static inline void print_bytes(const char *what, const uint8_t *bytes, size_t n)
{
	print_error("%s:", what);
	for (size_t i = 0; i < n; i++)
		print_error("%s%02x", i % 8 ? " " : "\n  ", bytes[i]);
	print_error("\n");
}

/* The ring contains exactly `hex` and `more`. A size of 0 in the first header stands for all of it.
 */
static inline void expect(const char *name, const char *hex, const char *more)
{
	static uint8_t got[65536], wanted[65536];
	size_t n = rb_read(ring, got, sizeof(got)), size = read_hex(hex, wanted);
	uint16_t bytes;

	size += read_hex(more, wanted + size);
	bytes = (uint16_t)size;
	if (!wanted[6] && !wanted[7])
		memcpy(wanted + 6, &bytes, sizeof(bytes));
	if (n == size && !memcmp(got, wanted, n))
		return;
	print_bytes("got", got, n);
	print_bytes("wanted", wanted, size);
	fail_msg("%s, sample_type 0x%llx", name, (unsigned long long)event.attr.sample_type);
}

#endif
