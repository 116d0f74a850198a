// SPDX-License-Identifier: BSD-2-Clause
/* guest_args.c - see guest_args.h. */
#include "tools/guest/guest_args.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "tools/guest/initrd.h"
#include "tools/util/artifact.h"

#define BOOT_FILE "\\EFI\\BOOT\\BOOTX64.EFI" /* what firmware starts of a disk by itself */

/* Memory for a first file system: packed, unpacked, and as it was read. */
#define INITRD_SHARE_OF_MEMORY 4

bool guest_has_own_clock(const struct guest *guest)
{
	return guest->kind != GUEST_PROGRAM && qemu_is_exact(guest->options);
}

static uint32_t guest_memory(const struct guest *guest)
{
	uint32_t mib = guest->options->memory ? guest->options->memory : GUEST_MEMORY_MIB;
	struct stat st;

	if (guest->options->memory || guest->initrd < 0 || fstat(guest->initrd, &st))
		return mib;
	while (mib < INITRD_SHARE_OF_MEMORY * (uint64_t)st.st_size >> 20)
		mib *= 2;
	return mib;
}

static void add_load_options(struct args *args, const struct guest *guest)
{
	struct buf text = {0};

	buf_printf(&text, "text=marked %s%s", guest_has_own_clock(guest) ? "clock=own " : "",
		   guest->options->smp == 1 ? "threads=1 " : "");
	qemu_vpmu_options(&text, guest->options);
	buf_printf(&text, GUEST_FILE "%s%s", *guest->arguments ? " " : "", guest->arguments);
	qemu_args_add(args, "-append");
	qemu_args_add(args, "%s", buf_text(&text));
	buf_free(&text);
}

/* Each line has an interrupt of its own, which ACPI tells. */
static void add_lines(struct args *args, const struct guest_files *files)
{
	static const unsigned irq[GUEST_LINES] = {4, 3, 5, 7};

	for (int i = GUEST_SAYS; i < GUEST_LINES; i++) {
		if (files->line[i] < 0)
			continue;
		qemu_args_add(args, "-chardev");
		qemu_args_add(args, "file,id=line%d,path=/proc/self/fd/%d", i, files->line[i]);
		qemu_args_add(args, "-device");
		qemu_args_add(args, "isa-serial,chardev=line%d,index=%d,irq=%u", i, i, irq[i]);
	}
}

static void add_share(struct args *args, const char *folder)
{
	char path[PATH_MAX];

	if (!folder || !realpath(folder, path))
		return;
	qemu_args_file(args, "-virtfs",
		       "local,mount_tag=" INITRD_SHARE ",security_model=none,multidevs=remap",
		       "path", path);
}

void guest_args(struct args *args, const struct guest *guest, const struct guest_files *files,
		const struct counting *counting)
{
	static const char *const devices[] = {
		"-nodefaults", "-display",
		"none",        "-no-reboot",
		"-device",     "virtio-blk-pci,drive=guest,bootindex=1",
		"-chardev",    "stdio,id=serial,signal=off",
		"-serial",     "chardev:serial",
		NULL};
	/* By which test programs of hypervisors end; a screen, without which some do not start. */
	static const char *const program[] = {"-device", "isa-debug-exit,iobase=0xf4,iosize=4",
					      "-vga", "std", NULL};

	qemu_args_add(args, "%s", guest->options->qemu);
	qemu_args_board(args, guest->options, guest_memory(guest),
			guest->kind == GUEST_PROGRAM ? QEMU_ICOUNT_SHIFT : GUEST_LINUX_SHIFT);
	qemu_args_words(args, devices);
	qemu_args_memory(args, "-drive", "if=none,id=guest,format=raw,readonly=on", files->disk);
	qemu_args_firmware(args, files->firmware, files->vars);
	qemu_args_add(args, "-kernel");
	qemu_args_add(args, "%s", files->vpmu);
	add_load_options(args, guest);
	if (guest->kind == GUEST_PROGRAM)
		qemu_args_words(args, program);
	add_lines(args, files);
	add_share(args, guest->options->guest.share);
	if (counting->fd >= 0)
		qemu_args_words(args, qemu_events_device);
	qemu_args_counting(args, counting);
	qemu_args_add(args, "-chardev");
	qemu_args_add(args, "socket,id=monitor,fd=%d", files->monitor);
	qemu_args_add(args, "-mon");
	qemu_args_add(args, "chardev=monitor,mode=control");
}

/* What is written to the variable store is lost when QEMU ends. */
int guest_args_bare(struct args *args, const struct options *o, const struct counting *counting,
		    const char *const *words, struct reason *why)
{
	const struct firmware *firmware = firmware_find(why);
	char vpmu[PATH_MAX];
	struct buf text = {0};

	if (!firmware || artifact_path(vpmu, sizeof(vpmu), ARTIFACT_VPMU, why))
		return -ENOENT;
	qemu_args_add(args, "%s", o->qemu);
	qemu_args_board(args, o, o->memory ? o->memory : GUEST_MEMORY_MIB, GUEST_LINUX_SHIFT);
	qemu_args_drive(args, "if=pflash,unit=0,format=raw,readonly=on", firmware->code);
	qemu_args_drive(args, "if=pflash,unit=1,format=raw,snapshot=on", firmware->vars);
	qemu_args_add(args, "-kernel");
	qemu_args_add(args, "%s", vpmu);
	qemu_vpmu_options(&text, o);
	buf_printf(&text, "%s", *words ? *words : BOOT_FILE);
	for (words += *words != NULL; *words; words++)
		buf_printf(&text, " %s", *words);
	qemu_args_add(args, "-append");
	qemu_args_add(args, "%s", buf_text(&text));
	buf_free(&text);
	if (o->guest.page) {
		qemu_args_words(args, qemu_events_device);
		qemu_args_plugin(args, counting, o->guest.page);
	}
	return 0;
}
