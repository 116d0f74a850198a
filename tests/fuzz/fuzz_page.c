// SPDX-License-Identifier: BSD-2-Clause
/*
 * fuzz_page.c - a guest that writes anything into the plugin's page of counts, between bells and
 * blocks that run. The plugin stays in its memory, and vpmu gets a branch stack within its range.
 * The input is a list of places and bytes for them.
 */
#include "tests/unit/vpmu/played_qemu.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The parts of the page: for all CPUs, and for the only CPU. */
static const struct part {
	size_t at, bytes;
} parts[] = {
	{0, sizeof(struct events_header)},
	{offsetof(struct events_page, cpu), sizeof(struct events_cpu)},
	{offsetof(struct events_page, cpu) + offsetof(struct events_cpu, last),
	 sizeof(struct events_last)},
	{offsetof(struct events_page, cpu) + offsetof(struct events_cpu, target),
	 sizeof(((struct events_cpu *)0)->target)},
	{offsetof(struct events_page, cpu) + offsetof(struct events_cpu, branches), 24},
	{offsetof(struct events_page, log), 16},
};

/* Writes up to 16 bytes at a place that four bytes choose. Returns how much input that used. */
static size_t write_place(const uint8_t *data, size_t size)
{
	const struct part *part = &parts[data[0] % (sizeof(parts) / sizeof(parts[0]))];
	const size_t at = (data[1] | data[2] << 8) % part->bytes;
	size_t n = data[3] % 17;

	n = n < size - 4 ? n : size - 4;
	n = n < part->bytes - at ? n : part->bytes - at;
	memcpy((uint8_t *)page + part->at + at, data + 4, n);
	return 4 + n;
}

/* The plugin recognises a bell by its address and by the place of vpmu's code. */
static void keep_bell(void)
{
	page->header.code = page->header.bell = HOST_CODE;
	page->header.code_end = HOST_CODE + sizeof(bell);
	page->header.guest = page->header.guest_end = 0;
}

static void install_page(void)
{
	static char off[] = "thread=off";

	if (install(off))
		abort();
	unlink(page_path);
}

static void run_guest(uint8_t how)
{
	keep_bell();
	ring();
	run_blocks(1 + how % 2, 8);
	if (how & 2)
		run_alone(2);
	if (page->cpu[0].level > EVENTS_LEVEL_MODEL)
		abort();
}

static void take_branches(void)
{
	struct branch_stack own = {.depth = 32};

	branch_stack_take(&own, &page->cpu[0].branches);
	if (own.depth != 32 || own.newest >= own.depth)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (!page)
		install_page();
	while (size >= 5) {
		const size_t n = write_place(data, size);

		run_guest(data[0] / (sizeof(parts) / sizeof(parts[0])));
		take_branches();
		data += n;
		size -= n;
	}
	return 0;
}
