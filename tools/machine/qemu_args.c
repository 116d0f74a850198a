// SPDX-License-Identifier: BSD-2-Clause
/*
 * qemu_args.c - see qemu_args.h.
 *
 * With TCG and one CPU, except for --clock host, -icount gives every guest instruction 16 ns of
 * virtual time. The clock and the seed are fixed, and no asynchronous device is attached. So the
 * same command gives the same bytes.
 */
#include "tools/machine/qemu_args.h"

#include <err.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "include/perf0/awaited.h"
#include "include/perf0/events_page.h"
#include "include/perf0/handoff.h"
#include "include/perf0/programs.h"
#include "lib/words/isa_level.h"
#include "tools/kvm/huge_pages.h"
#include "tools/machine/line_programs.h"
#include "tools/program/pack_writer.h"
#include "tools/saved/pages.h"
#include "tools/machine/shared_file.h"
#include "tools/util/artifact.h"
#include "tools/util/helper.h"
#include "tools/util/message.h"
#include "tools/util/status.h"

/* Machine time in ms; longer than vpmu waits while the machine is saved. */
#define AWAIT_MS 4000

/* The path of the image in the initrd. */
#define INITRD_IMAGE "/perf0.bz"

/* The machine's memory; that of KVM has pages of 2 MiB where the host has enough of them. */
#define BACKEND_SMALL  "memory-backend-ram"
#define BACKEND_HUGE   "memory-backend-memfd,hugetlb=on,hugetlbsize=2M,prealloc=on"
#define BACKEND_SHARED "memory-backend-file,mem-path=/proc/self/fd/%d,share=on"

const char *const qemu_events_device[] = {"-device",
					  "ivshmem-plain,memdev=events,master=on,id=events", NULL};

/* Paths of the firmware in distributions: code, and its variable store. */
static const struct firmware firmwares[] = {
	/* The smaller of Debian's two firmwares starts a tenth faster. */
	{"/usr/share/OVMF/OVMF_CODE.fd", "/usr/share/OVMF/OVMF_VARS.fd"},
	{"/usr/share/OVMF/OVMF_CODE_4M.fd", "/usr/share/OVMF/OVMF_VARS_4M.fd"},
	{"/usr/share/edk2/ovmf/OVMF_CODE.fd", "/usr/share/edk2/ovmf/OVMF_VARS.fd"},
	{"/usr/share/edk2/x64/OVMF_CODE.4m.fd", "/usr/share/edk2/x64/OVMF_VARS.4m.fd"},
	{"/usr/share/qemu/ovmf-x86_64-code.bin", "/usr/share/qemu/ovmf-x86_64-vars.bin"},
};

void qemu_args_add(struct args *args, const char *format, ...)
{
	va_list ap;

	if (args->n == QEMU_ARGS_MOST)
		errx(STATUS_MACHINE, "QEMU's command line has more than %d words", QEMU_ARGS_MOST);
	va_start(ap, format);
	if (vasprintf(&args->v[args->n], format, ap) < 0)
		errx(STATUS_MACHINE, "out of memory");
	args->n++;
	va_end(ap);
}

void qemu_args_words(struct args *args, const char *const *words)
{
	for (; *words; words++)
		qemu_args_add(args, "%s", *words);
}

void qemu_args_free(struct args *args)
{
	while (args->n)
		free(args->v[--args->n]);
}

/* Adds a value, with its commas doubled as QEMU requires. */
static void add_value(struct buf *out, const char *value)
{
	for (; *value; value++)
		buf_printf(out, *value == ',' ? ",," : "%c", *value);
}

void qemu_args_drive(struct args *args, const char *properties, const char *path)
{
	qemu_args_file(args, "-drive", properties, "file", path);
}

void qemu_args_file(struct args *args, const char *option, const char *properties, const char *name,
		    const char *path)
{
	struct buf value = {0};

	buf_printf(&value, "%s,%s=", properties, name);
	add_value(&value, path);
	qemu_args_add(args, "%s", option);
	qemu_args_add(args, "%s", buf_text(&value));
	buf_free(&value);
}

void qemu_args_memory(struct args *args, const char *option, const char *properties, int fd)
{
	if (fd < 0)
		return;
	qemu_args_add(args, "%s", option);
	qemu_args_add(args, "%s,file=/proc/self/fd/%d", properties, fd);
}

uint32_t qemu_memory(const struct machine_options *o)
{
	return o->memory ? o->memory : OPTION_MEMORY_MIB;
}

bool qemu_is_exact(const struct machine_options *o)
{
	return o->clock != CLOCK_HOST;
}

static void add_accel(struct args *args, const struct machine_options *o,
		      const struct qemu_board *board)
{
	static const char *const exact[] = {"-rtc", "base=2026-01-01,clock=vm", "-seed", "1", NULL};
	static const char *const kvm[] = {"-accel", "kvm", NULL};
	static const char *const threads[] = {"-accel", "tcg,thread=multi", NULL};
	static const char *const thread[] = {"-accel", "tcg,thread=single", NULL};

	if (qemu_is_exact(o)) {
		qemu_args_add(args, "-icount");
		qemu_args_add(args, "shift=%u,sleep=off", board->shift);
		qemu_args_words(args, exact);
		return;
	}
	qemu_args_words(args, o->accel == ACCEL_KVM ? kvm : board->one_thread ? thread : threads);
}

/*
 * Adds an HPET with enough comparators. vpmu takes one for each CPU and leaves two; QEMU's HPET has
 * 3 to 32.
 */
static void add_timers(struct args *args, unsigned cpus)
{
	const unsigned left = 2, most = 32;

	if (cpus == 1)
		return;
	qemu_args_add(args, "-global");
	qemu_args_add(args, "hpet.timers=%u", cpus + left < most ? cpus + left : most);
}

static void add_memory_backend(struct args *args, const struct machine_options *o,
			       const struct qemu_board *board)
{
	const bool is_huge = o->accel == ACCEL_KVM && huge_pages_fit(board->mib);

	qemu_args_add(args, "-object");
	if (board->memory && board->memory->fd >= 0)
		qemu_args_add(args, BACKEND_SHARED ",id=ram,size=%uM", board->memory->fd,
			      board->mib);
	else
		qemu_args_add(args, "%s,id=ram,size=%uM", is_huge ? BACKEND_HUGE : BACKEND_SMALL,
			      board->mib);
}

void qemu_args_board(struct args *args, const struct machine_options *o,
		     const struct qemu_board *board)
{
	static const char *const words[] = {"-machine", "q35,smm=off,memory-backend=ram",
					    "-global",  "hpet.msi=on",
					    "-boot",    "menu=off",
					    NULL};

	/*
	 * The machine's memory comes before that of any device, because QEMU numbers memory blocks
	 * in order. QEMU 10.0 searches written pages during a save as if each block were the first.
	 * It aborts if the first block is smaller than another.
	 */
	add_memory_backend(args, o, board);
	qemu_args_words(args, words);
	qemu_args_add(args, "-m");
	qemu_args_add(args, "%u", board->mib);
	qemu_args_add(args, "-cpu");
	qemu_args_add(args, "%s", o->cpu);
	qemu_args_add(args, "-smp");
	qemu_args_add(args, "%u,sockets=1,cores=%u,threads=%u", o->smp, o->smp / o->threads,
		      o->threads);
	add_timers(args, o->smp);
	add_accel(args, o, board);
}

void qemu_args_await(struct args *args, const struct machine_options *o)
{
	qemu_args_add(args, "-append");
	qemu_args_add(args, AWAITED_WORD "=%u", qemu_is_exact(o) ? AWAIT_MS : 0);
}

void qemu_args_options(struct args *args, int options)
{
	qemu_args_memory(args, "-fw_cfg", "name=" AWAITED_OPTIONS, options);
}

bool qemu_awaits_options(const struct machine_options *o)
{
	return o->has_vpmu && o->firmware == MACHINE_OVMF;
}

static void add_load_options(struct args *args, const struct launch *launch)
{
	qemu_args_add(args, "-append");
	qemu_args_add(args, "%s", (const char *)launch->load_options.data);
}

/*
 * Adds the options on which the saved state of the machine depends, except for the contents of
 * files and for options for which vpmu waits.
 */
void qemu_args_machine(struct args *args, const struct qemu_machine *m, const struct launch *launch)
{
	static const char *const machine[] = {"-nodefaults", "-display",       "none", "-no-reboot",
					      "-serial",     "chardev:serial", NULL};
	static const char *const stick[] = {"-device", "virtio-blk-pci,drive=esp,bootindex=1",
					    NULL};
	/* QEMU does not save a shared memory that is not master. */
	static const char *const shared[] = {
		"-device", "ivshmem-plain,memdev=shared,master=on,id=shared",
		"-device", "pvpanic",
		"-action", "panic=pause",
		NULL};
	const struct machine_options *o = m->options;
	const struct qemu_board board = {
		.mib = qemu_memory(o), .shift = QEMU_ICOUNT_SHIFT, .memory = m->memory};

	qemu_args_board(args, o, &board);
	qemu_args_words(args, machine);
	if (launch->firmware)
		qemu_args_words(args, stick);
	if (!o->serial)
		qemu_args_words(args, shared);
	if (m->counting->fd >= 0)
		qemu_args_words(args, qemu_events_device);
	if (qemu_awaits_options(o))
		qemu_args_await(args, o);
	else
		add_load_options(args, launch);
}

void qemu_args_firmware(struct args *args, const struct firmware *firmware)
{
	qemu_args_drive(args, "if=pflash,unit=0,format=raw,readonly=on", firmware->code);
}

static void add_files(struct args *args, const struct launch *launch)
{
	if (launch->firmware) {
		qemu_args_firmware(args, launch->firmware);
		qemu_args_drive(args, "if=none,id=esp,format=raw,readonly=on", launch->esp);
	}
	if (launch->initrd >= 0) {
		qemu_args_add(args, "-initrd");
		qemu_args_add(args, "/proc/self/fd/%d", launch->initrd);
	}
	qemu_args_add(args, "-kernel");
	qemu_args_add(args, "%s", launch->kernel);
}

void qemu_args_ends(struct args *args, int monitor, bool is_restored)
{
	static const char *const serial[] = {"-chardev", "stdio,id=serial,signal=off", NULL};

	qemu_args_words(args, serial);
	qemu_args_add(args, "-chardev");
	qemu_args_add(args, "socket,id=monitor,fd=%d", monitor);
	qemu_args_add(args, "-mon");
	qemu_args_add(args, "chardev=monitor,mode=control");
	if (!is_restored)
		return;
	qemu_args_add(args, "-incoming");
	qemu_args_add(args, "defer");
}

void qemu_args_plugin(struct args *args, const struct counting *counting, const char *page)
{
	struct buf plugin = {0}, file = {0}, profile = {0};

	add_value(&plugin, counting->plugin);
	add_value(&file, page);
	if (counting->profile)
		buf_printf(&profile, ",profile=/proc/self/fd/%d", counting->profile);
	qemu_args_add(args, "-plugin");
	qemu_args_add(args, "file=%s,page=%s%s%s%s%s%s", buf_text(&plugin), buf_text(&file),
		      counting->models ? ",level=model" : "",
		      counting->prefetches ? "" : ",prefetch=off",
		      counting->loops ? ",strings=loops" : "",
		      counting->one_level ? ",levels=one" : "", buf_text(&profile));
	buf_free(&profile);
	qemu_args_add(args, "-object");
	qemu_args_add(args, "memory-backend-file,id=events,mem-path=%s,size=%u,share=on",
		      buf_text(&file), EVENTS_PAGE_BYTES);
	buf_free(&plugin);
	buf_free(&file);
}

void qemu_args_counting(struct args *args, const struct counting *counting)
{
	char page[32];

	if (counting->fd < 0)
		return;
	snprintf(page, sizeof(page), "/proc/self/fd/%d", counting->fd);
	qemu_args_plugin(args, counting, page);
}

/* Adds the memory of the device that qemu_args_machine() adds. */
static void add_shared(struct args *args, const struct shared *shared)
{
	qemu_args_add(args, "-object");
	qemu_args_add(args,
		      "memory-backend-file,id=shared,mem-path=/proc/self/fd/%d,size=%u,share=on",
		      shared->fd, SHARED_BYTES);
}

/* Adds the options, commands and programs of this run. A restored machine sees them, too. */
static void add_handed_files(struct args *args, const struct launch *launch)
{
	qemu_args_options(args, launch->options);
	qemu_args_memory(args, "-fw_cfg", "name=" PROGRAMS_COMMANDS, launch->commands);
	qemu_args_memory(args, "-fw_cfg", "name=" PROGRAMS_PACK, launch->programs);
}

void qemu_args_all(struct args *args, const struct qemu_machine *machine,
		   const struct launch *launch)
{
	qemu_args_add(args, "%s", machine->options->qemu);
	qemu_args_machine(args, machine, launch);
	if (machine->shared)
		add_shared(args, machine->shared);
	qemu_args_counting(args, machine->counting);
	add_files(args, launch);
	add_handed_files(args, launch);
}

void qemu_vpmu_words(struct buf *out, const struct vpmu_options *o, const char *between)
{
	buf_printf(out, "%s%sht=%s", o->uarch->name, between, o->ht ? "on" : "off");
	if (o->ipc1)
		buf_printf(out, "%stiming=ipc1", between);
	if (o->hides_hypervisor)
		buf_printf(out, "%shypervisor=off", between);
	if (o->program_level)
		buf_printf(out, "%sfeatures=%s", between, isa_level_name(o->program_level));
	if (o->counters)
		buf_printf(out, "%scounters=%s", between, o->counters);
	if (o->fault)
		buf_printf(out, "%sfault=%s", between, o->fault);
}

void qemu_vpmu_options(struct buf *out, const struct vpmu_options *o)
{
	buf_printf(out, "uarch=");
	qemu_vpmu_words(out, o, " ");
	buf_printf(out, " ");
}

void qemu_load_options(struct buf *out, const struct machine_options *o)
{
	if (o->has_vpmu) {
		if (o->clock == CLOCK_MODEL)
			buf_printf(out, "clock=model ");
		qemu_vpmu_options(out, &o->vpmu);
		buf_printf(out, "%s ",
			   o->firmware == MACHINE_OVMF ? "\\EFI\\BOOT\\BOOTX64.EFI" : INITRD_IMAGE);
	}
	if (o->line.baud)
		buf_printf(out, "baud=%u ", o->line.baud);
	if (o->line.flow)
		buf_printf(out, "flow=%s ", live_flow_name(o->line.flow));
	buf_printf(out, "text=framed await=1%s", o->watchdog ? " nmi_watchdog=1" : "");
	if (o->boot_options && *o->boot_options)
		buf_printf(out, " %s", o->boot_options);
}

const struct firmware *firmware_find(struct reason *why)
{
	for (size_t i = 0; i < sizeof(firmwares) / sizeof(firmwares[0]); i++)
		if (!access(firmwares[i].code, R_OK))
			return &firmwares[i];
	refuse_missing(why, firmwares[0].code, "ovmf");
	return NULL;
}

/* Returns the descriptor of a file in memory, which QEMU opens through /proc. */
static int keep_text(const char *name, const void *text, size_t n, const char *what,
		     struct reason *why)
{
	const int fd = memfd_create(name, 0);
	int err;

	if (fd >= 0 && write(fd, text, n) == (ssize_t)n)
		return fd;
	err = refuse(why, EIO, "%s can not be handed over: %s", what, strerror(errno));
	if (fd >= 0)
		close(fd);
	return err;
}

int qemu_keep_options(const struct buf *text, struct reason *why)
{
	return keep_text("perf0-options", text->data, text->size, "vpmu's options", why);
}

static int keep_commands(struct launch *launch, const char *commands, struct reason *why)
{
	const size_t n = strlen(commands);

	if (n > COMMAND_LINE_MAX)
		return refuse(why, E2BIG, "the command line is %zu bytes, more than %d", n,
			      COMMAND_LINE_MAX);
	if (!n)
		return 0;
	launch->commands = keep_text("perf0-commands", commands, n, "the command line", why);
	return launch->commands < 0 ? launch->commands : 0;
}

/* Keeps an archive in memory that has only the image. */
static int keep_image(const char *path, struct reason *why)
{
	struct tree tree = {0};
	int err = tree_put(&tree, path, INITRD_IMAGE, why);

	if (!err)
		err = pack_write_initrd(&tree, why);
	tree_free(&tree);
	return err;
}

/* Keeps the image's ELF files in memory in the same way. */
static int keep_programs(struct launch *launch, const struct programs *programs, struct reason *why)
{
	if (!programs || !programs->n)
		return 0;
	launch->programs = programs_pack(programs, why);
	return launch->programs < 0 ? launch->programs : 0;
}

static int find_for_uefi(struct launch *launch, const struct machine_options *o, struct reason *why)
{
	int err = artifact_path(launch->kernel, sizeof(launch->kernel),
				o->has_vpmu ? ARTIFACT_VPMU : ARTIFACT_PERF0, why);

	if (!err)
		err = artifact_path(launch->esp, sizeof(launch->esp), ARTIFACT_ESP, why);
	launch->firmware = err ? NULL : firmware_find(why);
	return err || launch->firmware ? err : -ENOENT;
}

static int find_for_bios(struct launch *launch, const struct machine_options *o, struct reason *why)
{
	if (!o->has_vpmu)
		return artifact_path(launch->kernel, sizeof(launch->kernel), ARTIFACT_PERF0_BZ,
				     why);
	if (artifact_path(launch->kernel, sizeof(launch->kernel), ARTIFACT_VPMU_BZ, why))
		return -ENOENT;
	return artifact_path(launch->image, sizeof(launch->image), ARTIFACT_PERF0_BZ, why);
}

int launch_find(struct launch *launch, const struct machine_options *o, struct reason *why)
{
	int err;

	*launch = (struct launch){.options = -1, .commands = -1, .programs = -1, .initrd = -1};
	err = o->firmware == MACHINE_OVMF ? find_for_uefi(launch, o, why)
					  : find_for_bios(launch, o, why);
	qemu_load_options(&launch->load_options, o);
	buf_text(&launch->load_options);
	return err;
}

int launch_open(struct launch *launch, const struct qemu_machine *machine, struct reason *why)
{
	int err;

	if (*launch->image) {
		launch->initrd = keep_image(launch->image, why);
		if (launch->initrd < 0)
			return launch->initrd;
	}
	if (qemu_awaits_options(machine->options)) {
		launch->options = qemu_keep_options(&launch->load_options, why);
		if (launch->options < 0)
			return launch->options;
	}
	err = keep_commands(launch, machine->commands, why);
	return err ? err : keep_programs(launch, machine->options->programs, why);
}

void launch_end(struct launch *launch)
{
	const int files[] = {launch->options, launch->commands, launch->programs, launch->initrd};

	buf_free(&launch->load_options);
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		if (files[i] >= 0)
			close(files[i]);
}

/* A word with any other character is quoted. */
static const char plain_characters[] =
	"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	"%+,-./:=@_";

static void add_shell_word(struct buf *out, const char *word)
{
	if (*word && !word[strspn(word, plain_characters)]) {
		buf_printf(out, "%s", word);
		return;
	}
	buf_printf(out, "'");
	for (; *word; word++)
		buf_printf(out, *word == '\'' ? "'\\''" : "%c", *word);
	buf_printf(out, "'");
}

void qemu_args_line(struct buf *out, const struct args *args)
{
	for (size_t i = 0; i < args->n; i++) {
		buf_printf(out, "%s", i ? " " : "");
		add_shell_word(out, args->v[i]);
	}
}

void qemu_args_print(const struct args *args)
{
	struct buf line = {0};

	qemu_args_line(&line, args);
	message("%s", buf_text(&line));
	buf_free(&line);
}
