// SPDX-License-Identifier: BSD-2-Clause
/*
 * main.c - starts the image on firmware with faults. Its options are words: names of faults, and
 * behind `--` the options of the image, if it has some. The image runs once for each word, and then
 * the machine is turned off. A `+` in place of the blank: the fault stays, and the image runs with
 * both.
 */
#include "arch/x86/insn.h"
#include "lib/printf.h"
#include "lib/string.h"
#include "tests/field/field.h"

#include <efipciio.h>
#include <stdarg.h>

#define COM1         0x3f8
#define LINE_STATUS  (COM1 + 5)
#define LINE_FREE    0x20
#define TEXT_MAX     512
#define OPTIONS_SIGN " -- "

EFI_STATUS efi_main(EFI_HANDLE self, EFI_SYSTEM_TABLE *system_table);

EFI_SYSTEM_TABLE *field_st;
EFI_BOOT_SERVICES *field_bs;

static EFI_BOOT_SERVICES changed;
static CHAR16 image_path[] = L"\\EFI\\BOOT\\BOOTX64.EFI";

static const struct field_fault *const lists[] = {field_options_faults, field_services_faults,
						  field_screen_faults, field_table_faults,
						  field_cpu_faults};

void field_say(const char *format, ...)
{
	char line[TEXT_MAX];
	va_list args;

	va_start(args, format);
	fmt_vprint(line, sizeof(line), format, args);
	va_end(args);
	for (const char *c = line; *c; c++) {
		while (!(inb(LINE_STATUS) & LINE_FREE))
			cpu_pause();
		outb(COM1, (uint8_t)*c);
	}
}

static const struct field_fault *find_fault(const char *name)
{
	for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++)
		for (const struct field_fault *fault = lists[i]; fault->name; fault++)
			if (!strcmp(fault->name, name))
				return fault;
	return NULL;
}

/* --- The image --- */

/* QEMU's -kernel starts this program before the firmware has looked at any disk. */
static void connect_devices(void)
{
	static EFI_GUID pci_io_guid = EFI_PCI_IO_PROTOCOL_GUID;
	EFI_HANDLE *handles;
	UINTN n;

	if (field_bs->LocateHandleBuffer(ByProtocol, &pci_io_guid, NULL, &n, &handles))
		return;
	for (UINTN i = 0; i < n; i++)
		field_bs->ConnectController(handles[i], NULL, NULL, TRUE);
	field_bs->FreePool(handles);
}

/* The first volume that has the image. */
static EFI_HANDLE find_image_volume(void)
{
	EFI_HANDLE *volumes, found = NULL;
	UINTN n;

	if (field_bs->LocateHandleBuffer(ByProtocol, &efi_simple_file_system_guid, NULL, &n,
					 &volumes))
		return NULL;
	for (UINTN i = 0; i < n && !found; i++) {
		EFI_SIMPLE_FILE_SYSTEM_PROTOCOL *volume;
		EFI_FILE_PROTOCOL *root, *file;

		if (field_bs->HandleProtocol(volumes[i], &efi_simple_file_system_guid,
					     (void **)&volume) ||
		    volume->OpenVolume(volume, &root))
			continue;
		if (!root->Open(root, &file, image_path, EFI_FILE_MODE_READ, 0)) {
			found = volumes[i];
			file->Close(file);
		}
		root->Close(root);
	}
	field_bs->FreePool(volumes);
	return found;
}

/* The device path of the image's file: that of the volume, and a node for the file. */
static EFI_DEVICE_PATH *find_image(void)
{
	static uint8_t path[TEXT_MAX];
	EFI_HANDLE volume = find_image_volume();
	EFI_DEVICE_PATH *device, *node;
	size_t before;

	if (!volume || field_bs->HandleProtocol(volume, &efi_device_path_guid, (void **)&device))
		return NULL;
	before = efi_path_bytes(device);
	if (before > sizeof(path) - sizeof(image_path) - 2 * sizeof(*node))
		return NULL;
	memcpy(path, device, before);
	node = (EFI_DEVICE_PATH *)(path + before);
	node->Type = MEDIA_DEVICE_PATH;
	node->SubType = MEDIA_FILEPATH_DP;
	SetDevicePathNodeLength(node, sizeof(*node) + sizeof(image_path));
	memcpy(node + 1, image_path, sizeof(image_path));
	node = NextDevicePathNode(node);
	SetDevicePathEndNode(node);
	return (EFI_DEVICE_PATH *)path;
}

/* The fault is put in behind LoadImage: the firmware could load the image. */
static EFI_STATUS run_image(EFI_HANDLE self, const struct field_fault *fault,
			    struct field_options options)
{
	EFI_DEVICE_PATH *path = find_image();
	EFI_LOADED_IMAGE *loaded;
	EFI_HANDLE image;
	EFI_STATUS err =
		path ? field_bs->LoadImage(FALSE, self, path, NULL, 0, &image) : EFI_NOT_FOUND;

	if (!err)
		err = field_bs->HandleProtocol(image, &efi_loaded_image_guid, (void **)&loaded);
	if (err)
		return err;
	fault->put(&options);
	loaded->LoadOptions = (void *)options.bytes;
	loaded->LoadOptionsSize = options.n;
	return field_bs->StartImage(image, NULL, NULL);
}

/* --- The words --- */

/* Removes the options of the image from the words. */
static struct field_options take_image_options(char *words)
{
	static CHAR16 text[TEXT_MAX];
	struct field_options options = {0};

	for (char *c = words; *c; c++)
		if (!strncmp(c, OPTIONS_SIGN, sizeof(OPTIONS_SIGN) - 1)) {
			options.n = (uint32_t)(efi_to_utf16(c + sizeof(OPTIONS_SIGN) - 1, text,
							    TEXT_MAX) *
					       sizeof(*text));
			options.bytes = text;
			*c = '\0';
			break;
		}
	return options;
}

static void try_fault(EFI_HANDLE self, const char *word, bool stays, struct field_options options)
{
	const struct field_fault *fault = find_fault(word);
	EFI_STATUS status;

	if (!fault) {
		field_say("field: there is no fault '%s'\n", word);
		return;
	}
	field_say("\nfield: begin %s\n", word);
	if (stays) {
		fault->put(&options);
		return;
	}
	status = run_image(self, fault, options);
	field_say("\nfield: end %s: EFI status %lu\n", word,
		  (unsigned long)(status & ~EFI_ERROR_MASK));
	if (fault->take)
		fault->take();
}

EFI_STATUS efi_main(EFI_HANDLE self, EFI_SYSTEM_TABLE *system_table)
{
	static char words[TEXT_MAX];
	EFI_LOADED_IMAGE *image;
	struct field_options options;

	field_st = system_table;
	field_bs = system_table->BootServices;
	if (field_bs->HandleProtocol(self, &efi_loaded_image_guid, (void **)&image) ||
	    efi_load_options(image, words, sizeof(words)))
		return EFI_INVALID_PARAMETER;
	connect_devices();
	changed = *field_bs;
	field_st->BootServices = &changed;
	options = take_image_options(words);
	for (char *word = words, *end; *word; word = end) {
		bool stays;

		for (end = word; *end && *end != ' ' && *end != '+'; end++)
			;
		stays = *end == '+';
		if (*end)
			*end++ = '\0';
		if (*word)
			try_fault(self, word, stays, options);
	}
	field_say("\nfield: done\n");
	field_st->RuntimeServices->ResetSystem(EfiResetShutdown, EFI_SUCCESS, 0, NULL);
	return EFI_DEVICE_ERROR;
}
