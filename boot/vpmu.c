// SPDX-License-Identifier: BSD-2-Clause
/*
 * vpmu.c - vpmu as a UEFI application: [text=marked] [uarch=NAME] [ht=on|off] [threads=2|1]
 * [timing=model|ipc1] [hypervisor=on|off] [clock=machine|own] [counters=LIST] [fault=LIST] PATH
 * [ARGS...]; or await=MS, and these come later.
 *
 * Puts a copy of the whole image, relocated once more, into reserved memory, which no operating
 * system will reuse; lets the copy take the CPU; and starts the image at PATH with ARGS as its load
 * options. Everything from there on is a guest, this file included.
 */
#include "boot/await.h"
#include "boot/efi.h"
#include "boot/marked.h"
#include "boot/relocate.h"
#include "boot/sleep.h"

#include "include/perf0/handoff.h"
#include "include/perf0/marks.h"
#include "include/perf0/personalities.h"
#include "include/perf0/vpmu.h"
#include "lib/printf.h"
#include "lib/string.h"
#include "lib/words/fault_words.h"
#include "lib/words/isa_level.h"
#include "lib/words/shape_words.h"

#include <linux/errno.h>

#include <stdbool.h>

#define OPTIONS_MAX HANDOFF_MAX_ARGS
#define PATH_UNITS  4096u
#define BELOW_4G    (1ull << 32)
#define BELOW_640K  0xa0000ull
#define PAGE_SIZE   4096u
#define CPUS_MAX    256u

/* EFI_PROCESSOR_INFORMATION, with room for newer firmware; its second field has flags. */
#define CPU_INFORMATION_BYTES 128
#define CPU_IS_BOOT_CPU       1u

#define USAGE                                                                                            \
	"vpmu.efi [text=marked] [uarch=" VPMU_NAMES_BAR                                                  \
	"] [ht=on|off] [threads=2|1] [timing=model|ipc1] [hypervisor=on|off] [clock=machine|own|model] " \
	"[features=LEVEL] [counters=LIST] [fault=LIST] PATH [ARGS...]"

#define PCI_CLASS_REGISTER 0x0b
#define PCI_MASS_STORAGE   0x01

EFI_STATUS efi_main(EFI_HANDLE image, EFI_SYSTEM_TABLE *st);

static EFI_SYSTEM_TABLE *st;
static EFI_BOOT_SERVICES *bs;

static EFI_GUID pci_io_guid = EFI_PCI_IO_PROTOCOL_GUID;

struct options {
	struct vpmu_config config;
	const char *path; /* inside of a file system */
	const char *args; /* "" when there are none */
};

/* --- Options --- */

static char *next_boot_word(char **rest)
{
	char *word = *rest, *end;

	while (*word == ' ')
		word++;
	end = strchr(word, ' ');
	*rest = end ? end + 1 : word + strlen(word);
	if (end)
		*end = 0;
	return word;
}

static const char *boot_word_value(const char *word, const char *name)
{
	size_t n = strlen(name);

	return !strncmp(word, name, n) && word[n] == '=' ? word + n + 1 : NULL;
}

/* The value is one of two words; false: neither. */
static bool set_one_of_two(const char *value, const char *off, const char *on, bool *is_on)
{
	*is_on = !strcmp(value, on);
	return *is_on || !strcmp(value, off);
}

static bool set_clock(const char *value, struct vpmu_config *config)
{
	config->model_clock = !strcmp(value, "model");
	return set_one_of_two(value, "machine", "own", &config->own_clock) || config->model_clock;
}

static bool set_level(const char *name, struct vpmu_config *config)
{
	config->program_level = isa_level_find(name);
	return config->program_level && config->program_level < ISA_LEVELS;
}

/* `err` is the result of parsing the list of option `name`. */
static int tell_list(const char *name, int err, const struct reason *why)
{
	if (err)
		efi_printf(st, "vpmu: %s=: %s\n", name, why->text);
	return err;
}

static int parse_setting(const char *word, struct options *o)
{
	struct vpmu_config *config = &o->config;
	const char *uarch = boot_word_value(word, "uarch"), *ht = boot_word_value(word, "ht"),
		   *threads = boot_word_value(word, "threads"),
		   *timing = boot_word_value(word, "timing"),
		   *hypervisor = boot_word_value(word, "hypervisor"),
		   *clock = boot_word_value(word, "clock"),
		   *features = boot_word_value(word, "features"),
		   *counters = boot_word_value(word, "counters"),
		   *fault = boot_word_value(word, "fault");
	struct reason why;

	if (uarch) {
		config->uarch = uarch;
		return 0;
	}
	if (!strcmp(word, "text=marked")) {
		o->config.marked = true;
		marked_begin(st);
		return 0;
	}
	if (counters)
		return tell_list("counters", shape_parse(counters, &config->shape, &why), &why);
	if (fault)
		return tell_list("fault", faults_parse(fault, &config->faults, &why), &why);
	if (ht && set_one_of_two(ht, "off", "on", &config->ht_on))
		return 0;
	if (threads && set_one_of_two(threads, "2", "1", &config->one_thread))
		return 0;
	if (timing && set_one_of_two(timing, "model", "ipc1", &config->ipc1))
		return 0;
	if (hypervisor && set_one_of_two(hypervisor, "on", "off", &config->hides_hypervisor))
		return 0;
	if (features && set_level(features, config))
		return 0;
	if (clock && set_clock(clock, config))
		return 0;
	efi_printf(st, "vpmu: bad option '%s'; %s\n", word, USAGE);
	return -EINVAL;
}

static int parse_boot_options(char *text, struct options *o)
{
	char *word, *rest = text;

	*o = (struct options){.config = {.uarch = VPMU_DEFAULT, .ht_on = true}};
	for (word = next_boot_word(&rest); strchr(word, '='); word = next_boot_word(&rest))
		if (parse_setting(word, o))
			return -EINVAL;
	if (!*word) {
		efi_printf(st, "vpmu: no image to start; %s\n", USAGE);
		return -EINVAL;
	}
	for (char *c = word; *c; c++)
		if (*c == '/')
			*c = '\\';
	while (*rest == ' ')
		rest++;
	o->path = word;
	o->args = rest;
	return 0;
}

/* --- The resident copy --- */

/* A copy of this image in memory that no operating system will reuse; 0: there is none. */
static uint64_t make_copy(uint64_t size)
{
	EFI_PHYSICAL_ADDRESS base = BELOW_4G - 1;
	uint64_t pages = (size + PAGE_SIZE - 1) / PAGE_SIZE;

	if (bs->AllocatePages(AllocateMaxAddress, EfiReservedMemoryType, pages, &base))
		return 0;
	memcpy((void *)base, ImageBase, size);
	relocate_again((char *)base, base - (uint64_t)ImageBase);
	return base;
}

/* The address in the copy of `here`, which is an address in this image. */
static void *in_copy(uint64_t copy, const void *here)
{
	return (void *)((uint64_t)here - (uint64_t)ImageBase + copy);
}

/* Lists the CPUs other than this one. */
static unsigned list_cpus(uint32_t *apic_ids, unsigned most)
{
	uint64_t information[CPU_INFORMATION_BYTES / sizeof(uint64_t)];
	struct mp_services *mp;
	UINTN all, enabled;
	unsigned n = 0;

	if (bs->LocateProtocol(&efi_mp_services_guid, NULL, (void **)&mp) ||
	    mp->get_number(mp, &all, &enabled))
		return 0;
	for (UINTN i = 0; i < all && n < most; i++)
		if (!mp->get_information(mp, i, information) &&
		    !((uint32_t)information[1] & CPU_IS_BOOT_CPU))
			apic_ids[n++] = (uint32_t)information[0];
	return n;
}

/* Reserves memory below `end`; 0: there is none. */
static uint64_t memory_below(uint64_t end, uint64_t bytes)
{
	EFI_PHYSICAL_ADDRESS base = end - 1;
	uint64_t pages = (bytes + PAGE_SIZE - 1) / PAGE_SIZE;

	if (!pages || bs->AllocatePages(AllocateMaxAddress, EfiReservedMemoryType, pages, &base))
		return 0;
	return base;
}

/* The machine's other CPUs, which come under vpmu when the guest starts them. */
static void find_other_cpus(struct vpmu_config *config)
{
	static uint32_t apic_ids[CPUS_MAX - 1];
	const unsigned others = list_cpus(apic_ids, CPUS_MAX - 1);

	config->cpus = others + 1;
	config->apic_ids = apic_ids;
	config->memory = (void *)memory_below(BELOW_4G, others * vpmu_cpu_bytes());
	config->start_page = config->memory ? memory_below(BELOW_640K, PAGE_SIZE) : 0;
	if (others && !config->start_page)
		efi_print(st, "vpmu: no memory for other CPUs: they have no PMU\n");
}

static void tell_cpus(const struct vpmu_config *config)
{
	const unsigned most = vpmu_max_cpus();

	if (!config->start_page || config->cpus <= most)
		return;
	efi_printf(
		st,
		"vpmu: %u CPUs, but only %u comparators of the HPET for them; on the others what "
		"QEMU's plugin does not stop at overflows late (QEMU: -global hpet.timers=N)\n",
		config->cpus, most);
}

static void tell_launch(const struct vpmu_config *config, const char *estimates)
{
	efi_printf(st, "vpmu: %s, ht=%s", config->uarch, config->ht_on ? "on" : "off");
	if (estimates)
		efi_printf(st,
			   "; %s, so counts are estimates, of an instruction for each %lu ticks",
			   estimates, (unsigned long)config->ticks_per_insn);
	if ((config->own_clock || config->model_clock) && !config->exact)
		efi_printf(st,
			   "; clock=%s needs a clock that goes by instructions, so the guest has "
			   "the machine's",
			   config->own_clock ? "own" : "model");
	efi_print(st, "\n");
	tell_cpus(config);
}

/* A clock that goes by instructions stands still in S3, and nothing would end it. */
static EFI_STATUS launched(const struct vpmu_config *config, const char *estimates)
{
	if (!config->wake_page || config->exact)
		sleep_hide_s3(st);
	tell_launch(config, estimates);
	return EFI_SUCCESS;
}

/* Where CPUs run in parallel, the time of one CPU includes the instructions of all. */
static void measure_rate(struct vpmu_config *config)
{
	config->ticks_per_insn = vpmu_measure_ticks();
	config->exact = config->ticks_per_insn && config->cpus == 1;
	if (!config->ticks_per_insn)
		config->ticks_per_insn = vpmu_estimate_ticks();
}

static const char *why_estimates(const struct vpmu_config *config)
{
	if (config->events)
		return "QEMU's plugin does not count as it should";
	return config->cpus > 1 ? "the TSC is that of several CPUs"
				: "the TSC does not count instructions here";
}

static EFI_STATUS take_machine(const EFI_LOADED_IMAGE *self, struct vpmu_config *config)
{
	enum vpmu_verdict (*launch)(const struct vpmu_config *);
	uint64_t copy = make_copy(self->ImageSize);
	static struct reason why;

	if (!copy) {
		efi_print(st, "vpmu: no reserved memory below 4 GiB\n");
		return EFI_OUT_OF_RESOURCES;
	}
	config->why = &why;
	find_other_cpus(config);
	if (sleep_find(st, config))
		config->wake_page = memory_below(BELOW_640K, PAGE_SIZE);
	measure_rate(config);
	config->events = vpmu_events_find(copy, config->uarch);
	launch = in_copy(copy, (const void *)vpmu_launch);
	switch (launch(config)) {
	case VPMU_LAUNCHED:
		return launched(config, NULL);
	case VPMU_LAUNCHED_RATIOS:
		efi_print(st, "vpmu: QEMU's plugin does not count as it should; events are ratios "
			      "of instructions and cycles\n");
		return launched(config, NULL);
	case VPMU_LAUNCHED_COUNTED:
		config->exact = false;
		return launched(config, NULL);
	case VPMU_LAUNCHED_INEXACT:
		config->exact = false;
		return launched(config, why_estimates(config));
	case VPMU_NO_SVM:
		efi_print(st, "vpmu: this CPU has no SVM; starting the image without\n");
		return EFI_SUCCESS;
	case VPMU_RUNS_ALREADY:
		efi_print(st, "vpmu: runs already; starting the image\n");
		return EFI_SUCCESS;
	case VPMU_NO_HPET:
		efi_print(st, "vpmu: no HPET comparator 2 with FSB delivery; starting the image "
			      "without (QEMU: -global hpet.msi=on)\n");
		return EFI_SUCCESS;
	case VPMU_BAD_SHAPE:
		tell_list("counters", -EINVAL, &why);
		return EFI_INVALID_PARAMETER;
	case VPMU_BAD_LEVEL:
		efi_printf(st, "vpmu: features=%s: this CPU has not all of them\n",
			   isa_level_name(config->program_level));
		return EFI_INVALID_PARAMETER;
	case VPMU_BAD_UARCH:
		break;
	}
	efi_printf(st, "vpmu: unknown uarch '%s'; %s\n", config->uarch, USAGE);
	return EFI_INVALID_PARAMETER;
}

/* --- The image to start --- */

static bool volume_has(EFI_HANDLE volume, CHAR16 *path)
{
	EFI_SIMPLE_FILE_SYSTEM_PROTOCOL *fs;
	EFI_FILE_HANDLE root, file;
	EFI_STATUS err;

	if (!volume || bs->HandleProtocol(volume, &efi_simple_file_system_guid, (void **)&fs) ||
	    fs->OpenVolume(fs, &root))
		return false;
	err = root->Open(root, &file, path, EFI_FILE_MODE_READ, 0);
	if (!err)
		file->Close(file);
	root->Close(root);
	return !err;
}

static EFI_HANDLE search_volumes(CHAR16 *path)
{
	EFI_HANDLE *handles, found = NULL;
	UINTN n;

	if (bs->LocateHandleBuffer(ByProtocol, &efi_simple_file_system_guid, NULL, &n, &handles))
		return NULL;
	for (UINTN i = 0; i < n && !found; i++)
		found = volume_has(handles[i], path) ? handles[i] : NULL;
	bs->FreePool(handles);
	return found;
}

static bool is_mass_storage(EFI_HANDLE handle)
{
	EFI_PCI_IO_PROTOCOL *pci;
	uint8_t class;

	return !bs->HandleProtocol(handle, &pci_io_guid, (void **)&pci) &&
	       !pci->Pci.Read(pci, EfiPciIoWidthUint8, PCI_CLASS_REGISTER, 1, &class) &&
	       class == PCI_MASS_STORAGE;
}

/* When QEMU's -kernel starts vpmu, the firmware has not looked at any disk yet. */
static void connect_disks(void)
{
	EFI_HANDLE *handles;
	UINTN n;

	if (bs->LocateHandleBuffer(ByProtocol, &pci_io_guid, NULL, &n, &handles))
		return;
	for (UINTN i = 0; i < n; i++)
		if (is_mass_storage(handles[i]))
			bs->ConnectController(handles[i], NULL, NULL, TRUE);
	bs->FreePool(handles);
}

static EFI_HANDLE find_volume(EFI_HANDLE own, CHAR16 *path)
{
	EFI_HANDLE found = volume_has(own, path) ? own : search_volumes(path);

	if (found)
		return found;
	connect_disks();
	return search_volumes(path);
}

/* The volume's device path with the file's behind it, in pool memory; NULL when there is none. */
static EFI_DEVICE_PATH *file_device_path(EFI_HANDLE volume, const CHAR16 *path, size_t units)
{
	EFI_DEVICE_PATH *device, *node;
	size_t before, file = sizeof(*node) + units * sizeof(*path);
	char *out;

	if (bs->HandleProtocol(volume, &efi_device_path_guid, (void **)&device))
		return NULL;
	before = efi_path_bytes(device);
	if (bs->AllocatePool(EfiBootServicesData, before + file + sizeof(*node), (void **)&out))
		return NULL;
	memcpy(out, device, before);
	node = (EFI_DEVICE_PATH *)(out + before);
	node->Type = MEDIA_DEVICE_PATH;
	node->SubType = MEDIA_FILEPATH_DP;
	SetDevicePathNodeLength(node, file);
	memcpy(node + 1, path, units * sizeof(*path));
	node = NextDevicePathNode(node);
	SetDevicePathEndNode(node);
	return (EFI_DEVICE_PATH *)out;
}

static int set_options(EFI_HANDLE image, const char *args)
{
	static CHAR16 text[OPTIONS_MAX];
	EFI_LOADED_IMAGE *loaded;
	size_t units = efi_to_utf16(args, text, OPTIONS_MAX);

	if (!units || bs->HandleProtocol(image, &efi_loaded_image_guid, (void **)&loaded))
		return -EINVAL;
	loaded->LoadOptions = text;
	loaded->LoadOptionsSize = (UINT32)(units * sizeof(*text));
	return 0;
}

static EFI_STATUS EFIAPI refuse_to_exit(EFI_HANDLE image, UINTN key)
{
	(void)image;
	(void)key;
	return EFI_INVALID_PARAMETER;
}

static EFI_STATUS start_image(EFI_HANDLE self, EFI_HANDLE own_volume, const struct options *o,
			      bool *is_started)
{
	static CHAR16 path[PATH_UNITS];
	size_t units = efi_to_utf16(o->path, path, PATH_UNITS);
	EFI_HANDLE volume = units ? find_volume(own_volume, path) : NULL, image;
	EFI_DEVICE_PATH *where = volume ? file_device_path(volume, path, units) : NULL;
	EFI_STATUS err;

	if (!where) {
		efi_printf(st, "vpmu: no file %s on any volume\n", o->path);
		return EFI_NOT_FOUND;
	}
	err = bs->LoadImage(FALSE, self, where, NULL, 0, &image);
	bs->FreePool(where);
	if (err || set_options(image, o->args)) {
		efi_printf(st, "vpmu: %s cannot be loaded: EFI error %lu\n", o->path,
			   (unsigned long)(err & ~EFI_ERROR_MASK));
		return err ? err : EFI_INVALID_PARAMETER;
	}
	if (o->config.faults.exit)
		bs->ExitBootServices = refuse_to_exit;
	if (o->config.marked)
		marked_start();
	*is_started = true;
	return bs->StartImage(image, NULL, NULL);
}

static EFI_STATUS run_options(EFI_HANDLE image, const EFI_LOADED_IMAGE *self, char *text,
			      struct options *options, bool *is_started)
{
	EFI_STATUS err;

	if (parse_boot_options(text, options))
		return EFI_INVALID_PARAMETER;
	err = take_machine(self, &options->config);
	return err ? err : start_image(image, self->DeviceHandle, options, is_started);
}

EFI_STATUS efi_main(EFI_HANDLE image, EFI_SYSTEM_TABLE *system_table)
{
	static char text[OPTIONS_MAX];
	EFI_LOADED_IMAGE *self;
	struct options options;
	bool is_started = false;
	EFI_STATUS err;

	st = system_table;
	bs = st->BootServices;
	err = bs->HandleProtocol(image, &efi_loaded_image_guid, (void **)&self);
	if (err)
		return err;
	if (efi_load_options(self, text, sizeof(text))) {
		efi_tell_bad_options(st, "vpmu", self, sizeof(text));
		return EFI_INVALID_PARAMETER;
	}
	err = await_options(st, text, sizeof(text));
	if (err)
		return err;
	err = run_options(image, self, text, &options, &is_started);
	if (options.config.marked)
		marked_end(st, err);
	if (!is_started)
		efi_print(st, VPMU_STARTS_NOTHING "\n");
	return err;
}
