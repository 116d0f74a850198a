// SPDX-License-Identifier: BSD-2-Clause
/* qemu_describe.c - describes the inputs of a machine's state: see qemu_describe() in qemu.h. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/machine/qemu_args.h"
#include "tools/machine/qemu_version.h"
#include "tools/saved/known_files.h"
#include "tools/symbols/elf_image.h"

static int describe_file(struct buf *out, const char *what, const char *path, struct reason *why)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	uint64_t hash;
	int err;

	if (fd < 0)
		return refuse(why, errno, "%s: %s", path, strerror(errno));
	err = fstat(fd, &st) ? -errno : known_file_hash(fd, &hash);
	close(fd);
	if (err)
		return refuse(why, -err, "%s: %s", path, strerror(-err));
	buf_printf(out, "%s: %lld bytes, %016llx\n", what, (long long)st.st_size,
		   (unsigned long long)hash);
	return 0;
}

/*
 * Describes QEMU's file without its contents, which are large. A build-id stands for these, on each
 * host with the same package. A file without one is known as this file of this host.
 */
static int describe_qemu(struct buf *out, const char *name, struct reason *why)
{
	static struct elf_image image;
	char path[PATH_MAX];
	struct stat st;

	if (qemu_find(path, name, why))
		return -ENOENT;
	if (stat(path, &st))
		return refuse(why, errno, "%s: %s", path, strerror(errno));
	buf_printf(out, "QEMU: %s, %lld bytes", path, (long long)st.st_size);
	if (!elf_image_read(&image, path, NULL) && image.build_id_size)
		for (size_t i = 0; i < image.build_id_size; i++)
			buf_printf(out, "%s%02x", i ? "" : ", ", image.build_id[i]);
	else
		buf_printf(out, ", file %llu, of %lld.%09ld", (unsigned long long)st.st_ino,
			   (long long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec);
	buf_printf(out, "\n");
	return 0;
}

void qemu_describe_cpus(struct buf *out, const struct machine_options *o)
{
	buf_printf(out, ", %u CPU%s", o->smp, o->smp == 1 ? "" : "s");
	if (o->threads > 1)
		buf_printf(out, ", threads=%u", o->threads);
}

/* Describes CPUs and memory, for people. */
static void describe_board(struct buf *out, const struct machine_options *o)
{
	qemu_describe_cpus(out, o);
	if (o->memory && o->memory != OPTION_MEMORY_MIB)
		buf_printf(out, ", %u MiB", o->memory);
	buf_printf(out, ", %s", o->cpu);
}

static void describe_title(struct buf *out, const struct machine_options *o)
{
	if (o->has_vpmu)
		qemu_vpmu_words(out, &o->vpmu, ", ");
	else
		buf_printf(out, "without vpmu");
	describe_board(out, o);
	if (o->watchdog)
		buf_printf(out, ", watchdog");
	if (o->boot_options && *o->boot_options)
		buf_printf(out, ", %s", o->boot_options);
	buf_printf(out, "\n");
}

int qemu_describe_words(struct buf *out, const struct args *args, const char *qemu,
			const struct qemu_content *contents, struct reason *why)
{
	int err;

	for (size_t i = 0; i < args->n; i++)
		buf_printf(out, "%s\n", args->v[i]);
	err = describe_qemu(out, qemu, why);
	for (; contents->path && !err; contents++)
		err = describe_file(out, contents->what, contents->path, why);
	return err;
}

int qemu_describe_counting(struct buf *out, const struct counting *counting, struct reason *why)
{
	if (counting->fd < 0)
		return 0;
	buf_printf(out, "%s\n", counting->models ? "model" : "counts");
	return describe_file(out, "plugin", counting->plugin, why);
}

/* Describes QEMU and the files from which the firmware starts. QEMU's own BIOS is QEMU's. */
static int describe_launch(struct buf *out, const struct qemu_machine *machine,
			   const struct launch *launch, struct reason *why)
{
	const struct firmware *uefi = launch->firmware;
	const struct qemu_content contents[] = {
		{"started", launch->kernel},
		{uefi ? "stick" : "image", uefi             ? launch->esp
					   : *launch->image ? launch->image
							    : NULL},
		{"firmware", uefi ? uefi->code : NULL},
		{0},
	};
	struct qemu_machine described = *machine;
	struct args args = {0};
	int err;

	described.memory = NULL; /* the state is the same in either kind of memory */
	qemu_args_machine(&args, &described, launch);
	err = qemu_describe_words(out, &args, machine->options->qemu, contents, why);
	qemu_args_free(&args);
	return err ? err : qemu_describe_counting(out, machine->counting, why);
}

int qemu_describe(struct buf *out, const struct qemu_machine *machine, struct reason *why)
{
	struct launch launch;
	int err = launch_find(&launch, machine->options, why);

	describe_title(out, machine->options);
	if (!err)
		buf_printf(out, "%s\n", buf_text(&launch.load_options));
	if (!err)
		err = describe_launch(out, machine, &launch, why);
	launch_end(&launch);
	return err;
}

int qemu_describe_firmware(struct buf *out, const struct qemu_machine *machine, struct reason *why)
{
	struct launch launch;
	int err = launch_find(&launch, machine->options, why);

	buf_printf(out, "firmware");
	describe_board(out, machine->options);
	buf_printf(out, "\n");
	if (!err)
		err = describe_launch(out, machine, &launch, why);
	launch_end(&launch);
	return err;
}
