// SPDX-License-Identifier: BSD-2-Clause
/*
 * pfm.c - events by libpfm4, as in its own examples: a name becomes an attr for
 * perf_event_open(2), and times tell whether the count is scaled.
 */
#include "tests/linux/perf_events.h"

#include <perfmon/pfmlib_perf_event.h>

#define TURNS 100000ull

/* The count of one event by its name: a group of its own, enabled around the turns. */
static uint64_t count(const char *name, uint64_t turns)
{
	struct perf_event_attr attr;
	uint64_t values[3] = {0};
	int error, fd;

	memset(&attr, 0, sizeof(attr));
	error = pfm_get_perf_event_encoding(name, PFM_PLM3, &attr, NULL, NULL);
	if (error != PFM_SUCCESS) {
		printf("FAILED %s: %s\n", name, pfm_strerror(error));
		failed++;
		return 0;
	}
	attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	attr.disabled = 1;
	fd = must_open(&attr, getpid(), -1, -1, 0);
	ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
	turn(turns);
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
	check("bytes", (uint64_t)read(fd, values, sizeof(values)), sizeof(values));
	check("not scaled", values[1] == values[2] && values[1], true);
	close(fd);
	return values[0];
}

int main(int argc, char **argv)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	check("pfm_initialize", (uint64_t)pfm_initialize(), PFM_SUCCESS);
	for (int i = 1; i < argc; i++) {
		const uint64_t once = count(argv[i], TURNS), twice = count(argv[i], 2 * TURNS);

		check(argv[i], twice - once, 2 * TURNS);
	}
	pfm_terminate();
	printf("%d failed\n", failed);
	return failed != 0;
}
