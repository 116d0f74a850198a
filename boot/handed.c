// SPDX-License-Identifier: BSD-2-Clause
/* handed.c - see handed.h. UEFI specification, "Simple File System Protocol", "File Protocol". */
#include "boot/handed.h"

#include "arch/x86/dev/fwcfg.h"
#include "boot/efi.h"
#include "include/perf0/awaited.h"
#include "lib/string.h"

#include <stdbool.h>

#define LABEL       L"perf0"
#define INFO_BYTES  (sizeof(EFI_FILE_INFO) + FWCFG_NAME_MAX * sizeof(CHAR16))
#define FROM_BEHIND UINT64_MAX /* a position that stands for the end of the file */

struct handed {
	EFI_FILE_PROTOCOL calls; /* first */
	struct fwcfg_file file;
	UINT64 position; /* of the folder: number of the next file */
	bool is_folder;
	char name[FWCFG_NAME_MAX]; /* of the folder: "" */
};

union file_info {
	EFI_FILE_INFO is;
	uint8_t bytes[INFO_BYTES];
};

static EFI_BOOT_SERVICES *bs;
static EFI_GUID file_info_guid = EFI_FILE_INFO_ID, system_info_guid = EFI_FILE_SYSTEM_INFO_ID;

static struct handed *handed_of(EFI_FILE_PROTOCOL *calls)
{
	return (struct handed *)calls;
}

/* --- Information on a file --- */

/* Copies all of `info`, or tells how many bytes it needs. */
static EFI_STATUS give_info(const void *info, UINTN size, UINTN *room, void *to)
{
	const bool fits = *room >= size;

	*room = size;
	if (!fits)
		return EFI_BUFFER_TOO_SMALL;
	memcpy(to, info, size);
	return EFI_SUCCESS;
}

static EFI_STATUS give_file_info(const char *name, const struct fwcfg_file *file, bool is_folder,
				 UINTN *room, void *to)
{
	union file_info info = {0};
	const size_t units = efi_to_utf16(name, info.is.FileName, FWCFG_NAME_MAX);

	info.is.Size = SIZE_OF_EFI_FILE_INFO + units * sizeof(CHAR16);
	info.is.FileSize = info.is.PhysicalSize = file->bytes;
	info.is.Attribute = EFI_FILE_READ_ONLY | (is_folder ? EFI_FILE_DIRECTORY : 0);
	return units ? give_info(&info, info.is.Size, room, to) : EFI_DEVICE_ERROR;
}

static EFI_STATUS give_system_info(UINTN *room, void *to)
{
	union {
		EFI_FILE_SYSTEM_INFO is;
		uint8_t bytes[sizeof(EFI_FILE_SYSTEM_INFO) + sizeof(LABEL)];
	} info = {.is = {.ReadOnly = TRUE, .BlockSize = 1}};

	info.is.Size = SIZE_OF_EFI_FILE_SYSTEM_INFO + sizeof(LABEL);
	memcpy(info.is.VolumeLabel, LABEL, sizeof(LABEL));
	return give_info(&info, info.is.Size, room, to);
}

static EFI_STATUS EFIAPI tell_info(EFI_FILE_PROTOCOL *calls, EFI_GUID *kind, UINTN *room, void *to)
{
	const struct handed *h = handed_of(calls);

	if (!memcmp(kind, &file_info_guid, sizeof(*kind)))
		return give_file_info(h->name, &h->file, h->is_folder, room, to);
	if (!memcmp(kind, &system_info_guid, sizeof(*kind)))
		return give_system_info(room, to);
	return EFI_UNSUPPORTED;
}

/* --- Reading --- */

static EFI_STATUS read_folder(struct handed *folder, UINTN *bytes, void *to)
{
	char name[FWCFG_NAME_MAX];
	struct fwcfg_file file;
	EFI_STATUS err;

	if (!fwcfg_list(AWAITED_FILES, (unsigned)folder->position, name, &file)) {
		*bytes = 0;
		return EFI_SUCCESS;
	}
	err = give_file_info(name, &file, false, bytes, to);
	folder->position += !err;
	return err;
}

static EFI_STATUS EFIAPI read_handed(EFI_FILE_PROTOCOL *calls, UINTN *bytes, void *to)
{
	struct handed *h = handed_of(calls);
	uint64_t left;

	if (h->is_folder)
		return read_folder(h, bytes, to);
	if (h->position > h->file.bytes)
		return EFI_DEVICE_ERROR;
	left = h->file.bytes - h->position;
	*bytes = *bytes < left ? *bytes : left;
	if (*bytes && !fwcfg_read(&h->file, (uint32_t)h->position, to, *bytes))
		return EFI_DEVICE_ERROR;
	h->position += *bytes;
	return EFI_SUCCESS;
}

static EFI_STATUS EFIAPI tell_position(EFI_FILE_PROTOCOL *calls, UINT64 *position)
{
	*position = handed_of(calls)->position;
	return handed_of(calls)->is_folder ? EFI_UNSUPPORTED : EFI_SUCCESS;
}

static EFI_STATUS EFIAPI move_position(EFI_FILE_PROTOCOL *calls, UINT64 position)
{
	struct handed *h = handed_of(calls);

	if (h->is_folder && position)
		return EFI_UNSUPPORTED;
	h->position = position == FROM_BEHIND ? h->file.bytes : position;
	return EFI_SUCCESS;
}

/* --- Opening --- */

static EFI_STATUS EFIAPI close_handed(EFI_FILE_PROTOCOL *calls)
{
	bs->FreePool(calls);
	return EFI_SUCCESS;
}

static EFI_STATUS EFIAPI refuse_delete(EFI_FILE_PROTOCOL *calls)
{
	close_handed(calls);
	return EFI_WARN_DELETE_FAILURE;
}

static EFI_STATUS EFIAPI refuse_write(EFI_FILE_PROTOCOL *calls, UINTN *bytes, void *from)
{
	(void)calls;
	(void)from;
	*bytes = 0;
	return EFI_WRITE_PROTECTED;
}

static EFI_STATUS EFIAPI refuse_info(EFI_FILE_PROTOCOL *calls, EFI_GUID *kind, UINTN bytes,
				     void *from)
{
	(void)calls;
	(void)kind;
	(void)bytes;
	(void)from;
	return EFI_WRITE_PROTECTED;
}

static EFI_STATUS EFIAPI flush_nothing(EFI_FILE_PROTOCOL *calls)
{
	(void)calls;
	return EFI_SUCCESS;
}

static EFI_STATUS EFIAPI open_handed(EFI_FILE_PROTOCOL *calls, EFI_FILE_PROTOCOL **opened,
				     CHAR16 *path, UINT64 mode, UINT64 attributes);

static EFI_STATUS make_handle(const struct handed *what, EFI_FILE_PROTOCOL **opened)
{
	struct handed *h;
	const EFI_STATUS err = bs->AllocatePool(EfiBootServicesData, sizeof(*h), (void **)&h);

	if (err)
		return err;
	*h = *what;
	h->calls = (EFI_FILE_PROTOCOL){
		.Revision = EFI_FILE_PROTOCOL_REVISION,
		.Open = open_handed,
		.Close = close_handed,
		.Delete = refuse_delete,
		.Read = read_handed,
		.Write = refuse_write,
		.GetPosition = tell_position,
		.SetPosition = move_position,
		.GetInfo = tell_info,
		.SetInfo = refuse_info,
		.Flush = flush_nothing,
	};
	*opened = &h->calls;
	return EFI_SUCCESS;
}

/* Removes the leading "\" and "." of a path in the only folder; false: it is too long. */
static bool file_name_of(const CHAR16 *path, char name[FWCFG_NAME_MAX])
{
	while (*path == '\\' || (*path == '.' && (path[1] == '\\' || !path[1])))
		path++;
	return !efi_to_utf8(path, name, FWCFG_NAME_MAX);
}

/* False: there is no such file. */
static bool find_handed(struct handed *what)
{
	char name[sizeof(AWAITED_FILES) + FWCFG_NAME_MAX] = AWAITED_FILES;

	what->is_folder = !what->name[0];
	memcpy(name + sizeof(AWAITED_FILES) - 1, what->name, sizeof(what->name));
	return what->is_folder || fwcfg_find(name, &what->file);
}

static EFI_STATUS EFIAPI open_handed(EFI_FILE_PROTOCOL *calls, EFI_FILE_PROTOCOL **opened,
				     CHAR16 *path, UINT64 mode, UINT64 attributes)
{
	struct handed what = {0};

	(void)calls;
	(void)attributes;
	if (mode != EFI_FILE_MODE_READ)
		return EFI_WRITE_PROTECTED;
	if (!file_name_of(path, what.name) || !find_handed(&what))
		return EFI_NOT_FOUND;
	return make_handle(&what, opened);
}

static EFI_STATUS EFIAPI open_handed_volume(EFI_SIMPLE_FILE_SYSTEM_PROTOCOL *volume,
					    EFI_FILE_PROTOCOL **root)
{
	const struct handed folder = {.is_folder = true};

	(void)volume;
	return make_handle(&folder, root);
}

/* --- The volume --- */

static EFI_SIMPLE_FILE_SYSTEM_PROTOCOL volume = {
	.Revision = EFI_SIMPLE_FILE_SYSTEM_PROTOCOL_REVISION,
	.OpenVolume = open_handed_volume,
};

/* A device path with a GUID of its own, which no other device has. */
static struct {
	VENDOR_DEVICE_PATH vendor;
	EFI_DEVICE_PATH end;
} __attribute__((packed)) volume_path = {
	.vendor = {.Header = {HARDWARE_DEVICE_PATH, HW_VENDOR_DP, {sizeof(VENDOR_DEVICE_PATH), 0}},
		   .Guid = {0x6f2b1c07,
			    0x93d4,
			    0x4e58,
			    {0xa1, 0x7c, 0x0d, 0x5e, 0x84, 0xb2, 0x39, 0xf6}}},
	.end = {END_DEVICE_PATH_TYPE, END_ENTIRE_DEVICE_PATH_SUBTYPE, {sizeof(EFI_DEVICE_PATH), 0}},
};

EFI_STATUS handed_offer(EFI_SYSTEM_TABLE *st)
{
	EFI_HANDLE handle = NULL;
	EFI_STATUS err;

	bs = st->BootServices;
	err = bs->InstallProtocolInterface(&handle, &efi_device_path_guid, EFI_NATIVE_INTERFACE,
					   &volume_path);
	return err ? err
		   : bs->InstallProtocolInterface(&handle, &efi_simple_file_system_guid,
						  EFI_NATIVE_INTERFACE, &volume);
}
