// SPDX-License-Identifier: BSD-2-Clause
/* shared_file.c - see shared_file.h. */
#include "tools/machine/shared_file.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const struct shared_header header = {
	.magic = SHARED_MAGIC,
	.version = SHARED_VERSION,
	.bytes = SHARED_BYTES,
	.area[SHARED_OUT] = {SHARED_OUT_OFFSET, SHARED_OUT_BYTES},
	.area[SHARED_IN] = {SHARED_IN_OFFSET, SHARED_IN_BYTES},
	.area[SHARED_SAMPLES] = {SHARED_SAMPLES_OFFSET, SHARED_SAMPLES_BYTES},
	.area[SHARED_STEPS] = {SHARED_STEPS_OFFSET, SHARED_STEPS_BYTES},
};
_Static_assert(SHARED_STEPS_OFFSET + SHARED_STEPS_BYTES <= SHARED_BYTES, "all areas find room");

int shared_create(struct shared *shared, struct reason *why)
{
	/* QEMU inherits the descriptor. */
	*shared = (struct shared){.fd = memfd_create("perf0-shared", 0)};
	if (shared->fd < 0 || ftruncate(shared->fd, SHARED_BYTES))
		return refuse(why, errno, "no memory to share with QEMU: %s", strerror(errno));
	shared->memory =
		mmap(NULL, SHARED_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, shared->fd, 0);
	if (shared->memory == MAP_FAILED)
		return refuse(why, errno, "no memory to share with QEMU: %s", strerror(errno));
	return 0;
}

int shared_begin(struct shared *shared, struct reason *why)
{
	if (ftruncate(shared->fd, 0) || ftruncate(shared->fd, SHARED_BYTES))
		return refuse(why, errno, "no memory to share with QEMU: %s", strerror(errno));
	memcpy(shared->memory, &header, sizeof(header));
	return 0;
}

void shared_open(struct shared *shared)
{
	uint8_t *memory = shared->memory;

	shared_ring_reader_init(&shared->out, memory + SHARED_OUT_OFFSET, SHARED_OUT_BYTES);
	shared->in = memory + SHARED_IN_OFFSET;
	shared->samples = (const struct shared_samples *)(memory + SHARED_SAMPLES_OFFSET);
	shared->steps = (const struct shared_steps *)(memory + SHARED_STEPS_OFFSET);
}

void shared_end(struct shared *shared)
{
	if (shared->fd < 0)
		return;
	if (shared->memory != MAP_FAILED)
		munmap(shared->memory, SHARED_BYTES);
	close(shared->fd);
	shared->fd = -1;
}
