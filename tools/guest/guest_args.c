// SPDX-License-Identifier: BSD-2-Clause
/* guest_args.c - see guest_args.h. */
#include "tools/guest/guest_args.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "include/perf0/awaited.h"
#include "tools/guest/initrd.h"
#include "tools/machine/qemu_version.h"
#include "tools/util/artifact.h"

#define BOOT_FILE "\\EFI\\BOOT\\BOOTX64.EFI" /* the firmware's default file on a disk */

/* The initial file system is in memory three times: packed, unpacked, and as it was read. */
#define INITRD_SHARE_OF_MEMORY 4

bool guest_has_own_clock(const struct guest *guest)
{
	return guest->kind != GUEST_PROGRAM && qemu_is_exact(&guest->options->machine);
}

uint32_t guest_memory(const struct guest *guest)
{
	const uint32_t wanted = guest->options->machine.memory;
	uint32_t mib = wanted ? wanted : GUEST_MEMORY_MIB;
	struct stat st;

	if (wanted || guest->initrd < 0 || fstat(guest->initrd, &st))
		return mib;
	while (mib < INITRD_SHARE_OF_MEMORY * (uint64_t)st.st_size >> 20)
		mib *= 2;
	return mib;
}

/*
 * A guest may size and move the registers of devices while its other CPUs run. Up to version 8.1,
 * QEMU changes its memory map under these CPUs. They then access another device, whose assertions
 * may end QEMU.
 */
static bool shares_thread(const struct machine_options *o)
{
	return o->smp > 1 && o->accel == ACCEL_TCG && !qemu_is_since(o->qemu, 8, 2);
}

static void add_board(struct args *args, const struct machine_options *o, uint32_t mib,
		      unsigned shift, const struct saved_memory *memory)
{
	const struct qemu_board board = {
		.mib = mib, .shift = shift, .one_thread = shares_thread(o), .memory = memory};

	qemu_args_board(args, o, &board);
}

void guest_load_options(struct buf *out, const struct guest *guest)
{
	const struct machine_options *o = &guest->options->machine;
	const char *const clock = o->clock == CLOCK_MODEL      ? "clock=model "
				  : guest_has_own_clock(guest) ? "clock=own "
							       : "";

	buf_printf(out, "text=marked %s%s", clock, o->threads == 1 ? "threads=1 " : "");
	qemu_vpmu_options(out, &o->vpmu);
	buf_printf(out, "\\" GUEST_FILE "%s%s", *guest->arguments ? " " : "", guest->arguments);
}

/* Adds the serial lines. Each has an interrupt of its own, which ACPI describes. */
static void add_serial_lines(struct args *args, const struct guest_files *files)
{
	static const unsigned irq[GUEST_LINES] = {4, 3, 5, 7};

	for (int i = GUEST_SAYS; i < GUEST_LINES; i++) {
		if (files->line[i] < 0)
			continue;
		qemu_args_add(args, "-device");
		qemu_args_add(args, "isa-serial,chardev=line%d,index=%d,irq=%u", i, i, irq[i]);
	}
}

/*
 * Adds the options that affect the saved state at the point where vpmu waits, except for the
 * contents of files.
 */
static void add_machine(struct args *args, const struct guest *guest,
			const struct guest_files *files, const struct counting *counting)
{
	static const char *const devices[] = {"-nodefaults", "-display",       "none", "-no-reboot",
					      "-serial",     "chardev:serial", NULL};
	/*
	 * the device that ends test programs of hypervisors, and a screen, without which some do
	 * not start
	 */
	static const char *const program[] = {"-device", "isa-debug-exit,iobase=0xf4,iosize=4",
					      "-vga", "std", NULL};
	static const char *const share[] = {
		"-device", "virtio-9p-pci,fsdev=share,mount_tag=" INITRD_SHARE, NULL};
	const bool is_program = guest->kind == GUEST_PROGRAM;

	add_board(args, &guest->options->machine, guest_memory(guest),
		  is_program ? QEMU_ICOUNT_SHIFT : GUEST_LINUX_SHIFT, &files->memory);
	qemu_args_words(args, devices);
	if (is_program)
		qemu_args_words(args, program);
	add_serial_lines(args, files);
	if (guest->options->guest.share)
		qemu_args_words(args, share);
	if (counting->fd >= 0)
		qemu_args_words(args, qemu_events_device);
	qemu_args_await(args, &guest->options->machine);
}

static void add_line_files(struct args *args, const struct guest_files *files)
{
	for (int i = GUEST_SAYS; i < GUEST_LINES; i++) {
		if (files->line[i] < 0)
			continue;
		qemu_args_add(args, "-chardev");
		qemu_args_add(args, "file,id=line%d,path=/proc/self/fd/%d", i, files->line[i]);
	}
}

/* Adds the folder. QEMU itself reports a missing one. */
static void add_shared_folder(struct args *args, const char *folder)
{
	char path[PATH_MAX];

	if (folder)
		qemu_args_file(args, "-fsdev", "local,id=share,security_model=none,multidevs=remap",
			       "path", realpath(folder, path) ? path : folder);
}

void guest_args(struct args *args, const struct guest *guest, const struct guest_files *files,
		const struct counting *counting)
{
	qemu_args_add(args, "%s", guest->options->machine.qemu);
	add_machine(args, guest, files, counting);
	qemu_args_firmware(args, files->firmware);
	qemu_args_add(args, "-kernel");
	qemu_args_add(args, "%s", files->vpmu);
	qemu_args_options(args, files->options);
	qemu_args_memory(args, "-fw_cfg", "name=" AWAITED_FILES GUEST_FILE, files->program);
	qemu_args_memory(args, "-fw_cfg", "name=" AWAITED_FILES GUEST_INITRD, files->initrd);
	add_line_files(args, files);
	add_shared_folder(args, guest->options->guest.share);
	qemu_args_counting(args, counting);
}

static void describe_guest_title(struct buf *out, const struct guest *guest)
{
	static const char *const kinds[] = {
		[GUEST_PROGRAM] = "boot",
		[GUEST_COMMAND] = "linux, a command",
		[GUEST_CONSOLE] = "linux, a console",
	};

	buf_printf(out, "%s%s", kinds[guest->kind], guest->options->guest.share ? ", shared" : "");
	qemu_describe_cpus(out, &guest->options->machine);
	buf_printf(out, ", %u MiB, %s\n", guest_memory(guest), guest->options->machine.cpu);
}

int guest_describe(struct buf *out, const struct guest *guest, const struct guest_files *files,
		   const struct counting *counting, struct reason *why)
{
	const struct qemu_content contents[] = {
		{"started", files->vpmu},
		{"firmware", files->firmware->code},
		{0},
	};
	struct guest_files described = *files;
	struct args args = {0};
	int err;

	described.memory.fd = -1; /* the state is the same in either kind of memory */
	describe_guest_title(out, guest);
	add_machine(&args, guest, &described, counting);
	err = qemu_describe_words(out, &args, guest->options->machine.qemu, contents, why);
	qemu_args_free(&args);
	return err ? err : qemu_describe_counting(out, counting, why);
}

/* Adds the machine's command line. QEMU drops writes to the variable store when it ends. */
int guest_args_bare(struct args *args, const struct options *o, const struct counting *counting,
		    const char *const *words, struct reason *why)
{
	const struct firmware *firmware = firmware_find(why);
	char vpmu[PATH_MAX];
	struct buf text = {0};

	if (!firmware || artifact_path(vpmu, sizeof(vpmu), ARTIFACT_VPMU, why))
		return -ENOENT;
	qemu_args_add(args, "%s", o->machine.qemu);
	add_board(args, &o->machine, o->machine.memory ? o->machine.memory : GUEST_MEMORY_MIB,
		  GUEST_LINUX_SHIFT, NULL);
	qemu_args_drive(args, "if=pflash,unit=0,format=raw,readonly=on", firmware->code);
	qemu_args_drive(args, "if=pflash,unit=1,format=raw,snapshot=on", firmware->vars);
	qemu_args_add(args, "-kernel");
	qemu_args_add(args, "%s", vpmu);
	qemu_vpmu_options(&text, &o->machine.vpmu);
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
