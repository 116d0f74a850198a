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
#include "boot/vpmu_entry.h"

#include "boot/await.h"
#include "boot/marked.h"
#include "boot/vpmu_options.h"
#include "boot/vpmu_take.h"

#include "include/perf0/handoff.h"
#include "include/perf0/marks.h"
#include "include/perf0/vpmu.h"
#include "lib/string.h"

#include <linux/errno.h>

#include <stdbool.h>

#define PATH_UNITS 4096u
#define PAGE_SIZE  4096u
#define CPUS_MAX   256u

/* EFI_PROCESSOR_INFORMATION, with room for newer firmware; its second field has flags. */
#define CPU_INFORMATION_BYTES 128
#define CPU_IS_BOOT_CPU       1u

#define PCI_CLASS_REGISTER 0x0b
#define PCI_MASS_STORAGE   0x01

EFI_STATUS efi_main(EFI_HANDLE image, EFI_SYSTEM_TABLE *st);

static EFI_SYSTEM_TABLE *st;
static EFI_BOOT_SERVICES *bs;

static EFI_GUID pci_io_guid = EFI_PCI_IO_PROTOCOL_GUID;

/* --- Taking the machine --- */

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

/* Reserved memory below `end`; 0: there is none. */
static uint64_t reserve_pages(uint64_t end, uint64_t pages)
{
	EFI_PHYSICAL_ADDRESS base = end - 1;

	if (bs->AllocatePages(AllocateMaxAddress, EfiReservedMemoryType, pages, &base))
		return 0;
	return base;
}

static void print_text(const char *text)
{
	efi_print(st, text);
}

static EFI_STATUS take_machine(struct vpmu_config *config)
{
	static uint32_t apic_ids[CPUS_MAX - 1];
	const struct vpmu_platform platform = {
		.reserve = reserve_pages,
		.print = print_text,
		.rsdp = efi_find_table(st, &efi_acpi20_guid),
		.others = list_cpus(apic_ids, CPUS_MAX - 1),
		.apic_ids = apic_ids,
	};

	switch (vpmu_take_machine(&platform, config)) {
	case 0:
		return EFI_SUCCESS;
	case -ENOMEM:
		return EFI_OUT_OF_RESOURCES;
	default:
		return EFI_INVALID_PARAMETER;
	}
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
	static CHAR16 text[VPMU_OPTIONS_MAX];
	EFI_LOADED_IMAGE *loaded;
	size_t units = efi_to_utf16(args, text, VPMU_OPTIONS_MAX);

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

static void use_backslashes(CHAR16 *path, size_t units)
{
	for (size_t i = 0; i < units; i++)
		path[i] = path[i] == '/' ? '\\' : path[i];
}

static EFI_STATUS start_image(EFI_HANDLE self, EFI_HANDLE own_volume, const struct vpmu_boot *o,
			      bool *is_started)
{
	static CHAR16 path[PATH_UNITS];
	size_t units = efi_to_utf16(o->path, path, PATH_UNITS);
	EFI_HANDLE volume, image;
	EFI_DEVICE_PATH *where;
	EFI_STATUS err;

	use_backslashes(path, units);
	volume = units ? find_volume(own_volume, path) : NULL;
	where = volume ? file_device_path(volume, path, units) : NULL;
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

/* Complaints about options are marked, too, if one of them asks for marks. */
static EFI_STATUS parse_options(char *text, struct vpmu_boot *options)
{
	static struct reason why;
	const int err = vpmu_boot_options(text, options, &why);

	if (options->config.marked)
		marked_begin(st);
	if (err)
		efi_printf(st, "vpmu: %s", why.text);
	if (err == -EINVAL)
		efi_print(st, "; " VPMU_USAGE);
	if (err)
		efi_print(st, "\n");
	return err ? EFI_INVALID_PARAMETER : EFI_SUCCESS;
}

static EFI_STATUS run_options(EFI_HANDLE image, const EFI_LOADED_IMAGE *self, char *text,
			      struct vpmu_boot *options, bool *is_started)
{
	EFI_STATUS err = parse_options(text, options);

	if (!err)
		err = take_machine(&options->config);
	return err ? err : start_image(image, self->DeviceHandle, options, is_started);
}

EFI_STATUS vpmu_efi_start(EFI_HANDLE image, EFI_SYSTEM_TABLE *system_table, char *text)
{
	EFI_LOADED_IMAGE *self;
	struct vpmu_boot options;
	bool is_started = false;
	EFI_STATUS err;

	st = system_table;
	bs = st->BootServices;
	err = bs->HandleProtocol(image, &efi_loaded_image_guid, (void **)&self);
	if (!err)
		err = await_options(st, text, VPMU_OPTIONS_MAX);
	if (err)
		return err;
	err = run_options(image, self, text, &options, &is_started);
	if (options.config.marked)
		marked_end(st, err);
	if (!is_started)
		efi_print(st, VPMU_STARTS_NOTHING "\n");
	return err;
}

EFI_STATUS efi_main(EFI_HANDLE image, EFI_SYSTEM_TABLE *system_table)
{
	static char text[VPMU_OPTIONS_MAX];
	EFI_LOADED_IMAGE *self;
	const EFI_STATUS err = system_table->BootServices->HandleProtocol(
		image, &efi_loaded_image_guid, (void **)&self);

	if (err)
		return err;
	if (efi_load_options(self, text, sizeof(text))) {
		efi_tell_bad_options(system_table, "vpmu", self, sizeof(text));
		return EFI_INVALID_PARAMETER;
	}
	return vpmu_efi_start(image, system_table, text);
}
