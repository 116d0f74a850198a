// SPDX-License-Identifier: BSD-2-Clause
/* measured_on.c - see measured_on.h. */
#include "tools/machine/measured_on.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "include/perf0/version.h"
#include "lib/words/isa_level.h"
#include "tools/machine/counting.h"
#include "tools/machine/qemu_version.h"
#include "tools/symbols/elf_image.h"
#include "tools/util/plainbuf.h"

#define ID_DIGITS (2 * ELF_BUILD_ID_MAX)

/* Where facts go. */
struct facts {
	struct buf *out;
	bool is_json;
	unsigned n;
};

static void add_fact(struct facts *f, const char *name, const char *value)
{
	buf_printf(f->out, f->n++ ? ", " : "");
	if (f->is_json) {
		plain_add_json(f->out, name);
		buf_printf(f->out, " : ");
		plain_add_json(f->out, value);
	} else {
		buf_printf(f->out, "%s %s", name, value);
	}
}

static void add_number_fact(struct facts *f, const char *name, uint32_t value)
{
	char text[16];

	snprintf(text, sizeof(text), "%" PRIu32, value);
	add_fact(f, name, text);
}

static bool print_build_id(const char *path, char text[ID_DIGITS + 1])
{
	static struct elf_image image;
	struct reason ignored;

	if (elf_image_read(&image, path, &ignored) || !image.build_id_size)
		return false;
	for (size_t i = 0; i < image.build_id_size; i++)
		snprintf(text + 2 * i, 3, "%02x", image.build_id[i]);
	return true;
}

static bool is_library(const char *name)
{
	const char *so = strstr(name, ".so");

	return so && (!so[3] || so[3] == '.');
}

/* Libraries are known by name and build-id. */
static int add_library(void *ctx, const char *path, const char *host)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	char id[ID_DIGITS + 1];

	if (is_library(name) && print_build_id(host, id))
		add_fact(ctx, name, id);
	return 0;
}

static void add_counting(struct facts *f, const struct machine_options *machine)
{
	static const char *const levels[] = {
		[EVENTS_MODEL] = "model", [EVENTS_COUNTS] = "counts", [EVENTS_RATIOS] = "ratios"};
	struct counting counting;
	struct reason ignored;
	char id[ID_DIGITS + 1];
	const bool is_counted = !counting_begin(&counting, machine, &ignored) && counting.fd >= 0;

	add_fact(f, "--events", levels[is_counted ? machine->vpmu.events : EVENTS_RATIOS]);
	if (!is_counted)
		add_fact(f, "plugin", "none");
	else
		add_fact(f, "plugin",
			 print_build_id(counting.plugin, id) ? id : "without a build-id");
	counting_end(&counting);
}

static void add_facts(struct facts *f, const struct options *options, uint32_t memory,
		      const struct programs *programs)
{
	static const char *const clocks[] = {[CLOCK_INSTRUCTIONS] = "instructions",
					     [CLOCK_HOST] = "host",
					     [CLOCK_MODEL] = "model"};
	const struct machine_options *machine = &options->machine;
	struct buf qemu = {0};

	add_fact(f, "perf0", PERF0_VERSION);
	if (machine->has_vpmu) {
		add_fact(f, "--uarch", machine->vpmu.uarch->name);
		if (machine->vpmu.program_level)
			add_fact(f, "--cpu-features", isa_level_name(machine->vpmu.program_level));
		add_counting(f, machine);
	}
	qemu_version_text(&qemu, machine->qemu);
	add_fact(f, "QEMU", qemu.size ? buf_text(&qemu) : "unknown");
	add_fact(f, "--cpu", machine->cpu ? machine->cpu : "unknown");
	add_fact(f, "--clock", clocks[machine->clock]);
	if (machine->firmware != MACHINE_OVMF)
		add_fact(f, "--firmware", "seabios");
	add_number_fact(f, "--smp", machine->smp);
	add_number_fact(f, "--memory", memory);
	if (programs)
		programs_each_file(programs, add_library, f);
	buf_free(&qemu);
}

void measured_on_text(struct buf *out, const struct options *options, uint32_t memory,
		      const struct programs *programs)
{
	struct facts f = {.out = out};

	buf_printf(out, "counts depend on: ");
	add_facts(&f, options, memory, programs);
}

void measured_on_json(struct buf *out, const struct options *options, uint32_t memory,
		      const struct programs *programs)
{
	struct facts f = {.out = out, .is_json = true};

	buf_printf(out, "{\"measured-on\" : {");
	add_facts(&f, options, memory, programs);
	buf_printf(out, "}}\n");
}

void measured_on_object(struct buf *out, const struct options *options, uint32_t memory)
{
	struct facts f = {.out = out, .is_json = true};

	buf_printf(out, "{");
	add_facts(&f, options, memory, NULL);
	buf_printf(out, "}");
}
