// SPDX-License-Identifier: BSD-2-Clause
/*
 * files.c - see files.h. UEFI specification, "Media Access": Simple File System, File Protocol.
 *
 * The volume is found for each operation by its device path, and opened: a stick that is pulled
 * takes its handle and its protocols with it, and one that is put back has others.
 */
#include "boot/files.h"

#include "boot/upper.h"
#include "lib/string.h"

#include <linux/errno.h>
#include <stdbool.h>

#define CHUNK_BYTES (1u << 20) /* some drivers transfer no more at once */
#define INFO_BYTES  1024       /* EFI_FILE_INFO and a name of 255 units */

#define DEVICE_PATH_MOST 1024

static EFI_SYSTEM_TABLE *st;
static uint8_t volume_path[DEVICE_PATH_MOST]
	__attribute__((aligned(8))); /* without a node: there is no volume */
static EFI_GUID file_info_guid = EFI_FILE_INFO_ID;

static const struct {
	uint8_t status; /* without the bit of errors */
	uint8_t error;
} errors[] = {
	{EFI_NOT_FOUND & ~EFI_ERROR_MASK, ENOENT},
	{EFI_NO_MEDIA & ~EFI_ERROR_MASK, ENODEV},
	{EFI_MEDIA_CHANGED & ~EFI_ERROR_MASK, ENODEV},
	{EFI_VOLUME_FULL & ~EFI_ERROR_MASK, ENOSPC},
	{EFI_WRITE_PROTECTED & ~EFI_ERROR_MASK, EROFS},
	{EFI_ACCESS_DENIED & ~EFI_ERROR_MASK, EACCES},
	{EFI_OUT_OF_RESOURCES & ~EFI_ERROR_MASK, ENOMEM},
	{EFI_INVALID_PARAMETER & ~EFI_ERROR_MASK, EINVAL},
	{EFI_UNSUPPORTED & ~EFI_ERROR_MASK, EINVAL},
};

static int errno_of(EFI_STATUS status)
{
	if (!EFI_ERROR(status))
		return 0;
	for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++)
		if (errors[i].status == (status & ~EFI_ERROR_MASK))
			return -errors[i].error;
	return -EIO;
}

/* NULL: the volume is not there, or not any more. */
static EFI_SIMPLE_FILE_SYSTEM_PROTOCOL *find_volume(void)
{
	EFI_BOOT_SERVICES *bs = st->BootServices;
	EFI_DEVICE_PATH *rest = (EFI_DEVICE_PATH *)volume_path;
	EFI_SIMPLE_FILE_SYSTEM_PROTOCOL *volume;
	EFI_HANDLE handle;

	if (IsDevicePathEnd(rest) ||
	    bs->LocateDevicePath(&efi_simple_file_system_guid, &rest, &handle) ||
	    !IsDevicePathEnd(rest) ||
	    bs->HandleProtocol(handle, &efi_simple_file_system_guid, (void **)&volume))
		return NULL;
	return volume;
}

bool files_begin(EFI_HANDLE self, EFI_SYSTEM_TABLE *system_table)
{
	EFI_BOOT_SERVICES *bs = system_table->BootServices;
	EFI_LOADED_IMAGE *image;
	EFI_DEVICE_PATH *path;
	size_t bytes;

	st = system_table;
	SetDevicePathEndNode((EFI_DEVICE_PATH *)volume_path);
	if (bs->HandleProtocol(self, &efi_loaded_image_guid, (void **)&image) ||
	    !image->DeviceHandle ||
	    bs->HandleProtocol(image->DeviceHandle, &efi_device_path_guid, (void **)&path))
		return false;
	bytes = efi_path_bytes(path) + sizeof(*path);
	if (bytes > sizeof(volume_path))
		return false;
	memcpy(volume_path, path, bytes);
	return find_volume();
}

/* Converts "/a/b" to the firmware's form "\a\b". */
static int firmware_path(const char *path, CHAR16 units[FIRMWARE_PATH_MOST])
{
	if (path[FIRMWARE_PATH_MOST - 1])
		return -ENAMETOOLONG;
	if (!efi_to_utf16(path, units, FIRMWARE_PATH_MOST))
		return -EILSEQ;
	for (CHAR16 *u = units; *u; u++)
		*u = *u == '/' ? '\\' : *u;
	return 0;
}

static int open_path(const char *path, UINT64 mode, UINT64 attributes, EFI_FILE_HANDLE *file)
{
	EFI_SIMPLE_FILE_SYSTEM_PROTOCOL *volume = find_volume();
	CHAR16 units[FIRMWARE_PATH_MOST];
	EFI_FILE_HANDLE root;
	EFI_STATUS status;
	int err = firmware_path(path, units);

	if (err)
		return err;
	if (!volume)
		return -ENODEV;
	status = volume->OpenVolume(volume, &root);
	if (EFI_ERROR(status))
		return errno_of(status);
	status = root->Open(root, file, units, mode, attributes);
	root->Close(root);
	return errno_of(status);
}

union file_info {
	EFI_FILE_INFO is;
	uint8_t bytes[INFO_BYTES];
};

static bool is_folder(const EFI_FILE_INFO *info)
{
	return info->Attribute & EFI_FILE_DIRECTORY;
}

/* `*bytes` becomes the size of the info, name included. */
static int get_info(EFI_FILE_HANDLE file, union file_info *info, UINTN *bytes)
{
	*bytes = sizeof(*info);
	return errno_of(file->GetInfo(file, &file_info_guid, bytes, info));
}

/* Reads or writes all of `n` bytes, or as many as there are. */
static EFI_STATUS transfer_bytes(EFI_FILE_HANDLE file, uint8_t *data, uint64_t n, bool write,
				 uint64_t *done)
{
	*done = 0;
	while (*done < n) {
		UINTN bytes = n - *done < CHUNK_BYTES ? n - *done : CHUNK_BYTES, wanted = bytes;
		EFI_STATUS status = write ? file->Write(file, &bytes, data + *done)
					  : file->Read(file, &bytes, data + *done);

		*done += EFI_ERROR(status) && !write ? 0 : bytes;
		if (EFI_ERROR(status))
			return status;
		if (bytes < wanted)
			return write ? EFI_VOLUME_FULL : EFI_SUCCESS;
	}
	return EFI_SUCCESS;
}

static int read_file(struct firmware_file *call)
{
	union file_info info;
	EFI_FILE_HANDLE file;
	UINTN bytes;
	int err = open_path(call->path, EFI_FILE_MODE_READ, 0, &file);

	if (err)
		return err;
	err = get_info(file, &info, &bytes);
	if (!err)
		call->size = info.is.FileSize;
	if (!err && is_folder(&info.is))
		err = -EISDIR;
	if (!err && call->offset < call->size)
		err = errno_of(file->SetPosition(file, call->offset));
	if (!err && call->offset >= call->size)
		call->bytes = 0;
	if (!err && call->bytes)
		err = errno_of(transfer_bytes(file, in_lower_half(call->data), call->bytes, false,
					      &call->bytes));
	file->Close(file);
	return err;
}

/* Cuts the file at `size`; the firmware has no other way to do so. */
static int cut_file(EFI_FILE_HANDLE file, uint64_t size)
{
	union file_info info;
	UINTN bytes;
	int err = get_info(file, &info, &bytes);

	if (err)
		return err;
	if (is_folder(&info.is))
		return -EISDIR;
	if (info.is.FileSize <= size)
		return 0;
	info.is.FileSize = size;
	return errno_of(file->SetInfo(file, &file_info_guid, bytes, &info));
}

static int write_file(struct firmware_file *call)
{
	EFI_FILE_HANDLE file;
	int err = open_path(call->path,
			    EFI_FILE_MODE_READ | EFI_FILE_MODE_WRITE | EFI_FILE_MODE_CREATE, 0,
			    &file);
	int flushed, closed;

	if (err)
		return err;
	err = cut_file(file, call->offset);
	if (!err)
		err = errno_of(file->SetPosition(file, call->offset));
	if (!err)
		err = errno_of(transfer_bytes(file, in_lower_half(call->data), call->bytes, true,
					      &call->bytes));
	flushed = errno_of(file->Flush(file));
	closed = errno_of(file->Close(file));
	if (!err)
		err = flushed ? flushed : closed;
	return err;
}

static int make_folder(struct firmware_file *call)
{
	EFI_FILE_HANDLE file;
	int err = open_path(call->path, EFI_FILE_MODE_READ, 0, &file);

	if (!err) {
		file->Close(file);
		return -EEXIST;
	}
	if (err != -ENOENT)
		return err;
	err = open_path(call->path, EFI_FILE_MODE_READ | EFI_FILE_MODE_WRITE | EFI_FILE_MODE_CREATE,
			EFI_FILE_DIRECTORY, &file);
	return err ? err : errno_of(file->Close(file));
}

/* The firmware reports only a warning for a file that it could not delete. */
static int remove_file(struct firmware_file *call)
{
	EFI_FILE_HANDLE file;
	int err = open_path(call->path, EFI_FILE_MODE_READ | EFI_FILE_MODE_WRITE, 0, &file);

	if (err)
		return err;
	return file->Delete(file) ? -EIO : 0;
}

/* One entry of a folder. Returns its size in the list; 0: there is no room for it. */
static uint32_t put_name(uint8_t *at, uint64_t room, const EFI_FILE_INFO *info)
{
	struct firmware_name *name = (struct firmware_name *)at;
	const uint64_t most = room > sizeof(*name) ? room - sizeof(*name) : 0;
	size_t length;

	if (!most || efi_to_utf8(info->FileName, name->name, most))
		return 0;
	length = strlen(name->name) + 1;
	name->size = (uint32_t)((sizeof(*name) + length + 7) & ~(size_t)7);
	if (name->size > room)
		return 0;
	name->bytes = info->FileSize;
	name->folder = is_folder(info);
	return name->size;
}

/* The firmware lists entries one by one, and always from the first on. */
static int list_entries(EFI_FILE_HANDLE file, struct firmware_file *call)
{
	union file_info info;
	uint64_t used = 0;
	uint8_t *data = in_lower_half(call->data);

	for (uint64_t i = 0;; i++) {
		UINTN bytes = sizeof(info);
		EFI_STATUS status = file->Read(file, &bytes, &info);
		uint32_t size;

		if (EFI_ERROR(status))
			return errno_of(status);
		if (!bytes)
			break;
		if (i < call->offset)
			continue;
		size = put_name(data + used, call->bytes - used, &info.is);
		if (!size)
			break;
		used += size;
	}
	call->bytes = used;
	return 0;
}

static int list_folder(struct firmware_file *call)
{
	union file_info info;
	EFI_FILE_HANDLE file;
	UINTN bytes;
	int err = open_path(call->path, EFI_FILE_MODE_READ, 0, &file);

	if (err)
		return err;
	err = get_info(file, &info, &bytes);
	if (!err && !is_folder(&info.is))
		err = -ENOTDIR;
	if (!err)
		err = list_entries(file, call);
	file->Close(file);
	return err;
}

int files_answer(struct firmware_file *call)
{
	switch (call->operation) {
	case FIRMWARE_READ:
		return read_file(call);
	case FIRMWARE_WRITE:
		return write_file(call);
	case FIRMWARE_FOLDER:
		return make_folder(call);
	case FIRMWARE_REMOVE:
		return remove_file(call);
	case FIRMWARE_LIST:
		return list_folder(call);
	default:
		return -EINVAL;
	}
}
