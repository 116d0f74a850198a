// SPDX-License-Identifier: BSD-2-Clause
/*
 * efi.c - text between UEFI, which speaks UTF-16, and the rest of the tree, which speaks UTF-8.
 * Load options are untrusted: any bytes at all may stand there.
 */
#include "boot/efi.h"

#include "lib/printf.h"
#include "lib/string.h"
#include "lib/ascii.h"

#include <linux/errno.h>

#include <stdarg.h>
#include <stdbool.h>

EFI_GUID efi_loaded_image_guid = EFI_LOADED_IMAGE_PROTOCOL_GUID;
EFI_GUID efi_device_path_guid = EFI_DEVICE_PATH_PROTOCOL_GUID;
EFI_GUID efi_simple_file_system_guid = EFI_SIMPLE_FILE_SYSTEM_PROTOCOL_GUID;
EFI_GUID efi_block_io_guid = EFI_BLOCK_IO_PROTOCOL_GUID;
EFI_GUID efi_mp_services_guid = {
	0x3fdda605, 0xa76e, 0x4f46, {0xad, 0x29, 0x12, 0xf4, 0x53, 0x1b, 0x3d, 0x08}};
EFI_GUID efi_acpi20_guid = ACPI_20_TABLE_GUID;

/* EDK2's boot manager puts this GUID where the options of entries made by itself would stand. */
static const EFI_GUID edk2_auto_created = {
	0x8108ac4e, 0x9f11, 0x4d59, {0x85, 0x0e, 0xe2, 0x1a, 0x52, 0x2c, 0x59, 0xb2}};

#define SURROGATE_HIGH  0xd800u
#define SURROGATE_LOW   0xdc00u
#define SURROGATE_END   0xe000u
#define SURROGATE_SHIFT 10
#define SURROGATE_BASE  0x10000u
#define UNICODE_END     0x110000u

static bool is_low_surrogate(uint32_t unit)
{
	return unit >= SURROGATE_LOW && unit < SURROGATE_END;
}

/* One code point from `in` of `n` > 0 units; returns the units it took, 0 when malformed. */
static size_t utf16_decode(const CHAR16 *in, size_t n, uint32_t *point)
{
	uint32_t unit = in[0];

	*point = unit;
	if (unit < SURROGATE_HIGH || unit >= SURROGATE_END)
		return 1;
	if (is_low_surrogate(unit) || n < 2 || !is_low_surrogate(in[1]))
		return 0;
	*point = SURROGATE_BASE + ((unit - SURROGATE_HIGH) << SURROGATE_SHIFT) +
		 (in[1] - SURROGATE_LOW);
	return 2;
}

static size_t utf8_encode(uint32_t point, char out[4])
{
	static const uint32_t limit[] = {0x80, 0x800, SURROGATE_BASE, UNICODE_END};
	static const uint8_t lead[] = {0, 0xc0, 0xe0, 0xf0};
	size_t n = 0;

	while (point >= limit[n])
		n++;
	for (size_t i = n; i > 0; i--, point >>= 6)
		out[i] = (char)(0x80 | (point & 0x3f));
	out[0] = (char)(lead[n] | point);
	return n + 1;
}

/* One code point from the terminated string `in`; returns the bytes it took, 0 when malformed. */
static size_t utf8_decode(const char *in, uint32_t *point)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, SURROGATE_BASE};
	unsigned char first = (unsigned char)in[0];
	size_t n = first < 0x80 ? 1 : first < 0xc0 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;

	*point = n > 1 ? first & (0x7fu >> n) : first;
	for (size_t i = 1; i < n; i++) {
		if ((in[i] & 0xc0) != 0x80)
			return 0;
		*point = *point << 6 | (in[i] & 0x3f);
	}
	if (!n || first >= 0xf8 || *point < least[n] || *point >= UNICODE_END ||
	    (*point >= SURROGATE_HIGH && *point < SURROGATE_END))
		return 0;
	return n;
}

size_t efi_to_utf16(const char *text, CHAR16 *out, size_t room)
{
	size_t used = 0, took;
	uint32_t point;

	for (; *text; text += took) {
		took = utf8_decode(text, &point);
		if (!took || used + 2 >= room)
			return 0;
		if (point >= SURROGATE_BASE) {
			point -= SURROGATE_BASE;
			out[used++] = (CHAR16)(SURROGATE_HIGH + (point >> SURROGATE_SHIFT));
			point = SURROGATE_LOW + (point & ((1u << SURROGATE_SHIFT) - 1));
		}
		out[used++] = (CHAR16)point;
	}
	out[used++] = 0;
	return used;
}

static int to_utf8(const CHAR16 *in, size_t n, char *buf, size_t size)
{
	size_t used = 0;

	while (n && *in) {
		uint32_t point;
		char bytes[4];
		size_t took = utf16_decode(in, n, &point), len;

		buf[used] = 0;
		if (!took)
			return -EILSEQ;
		len = utf8_encode(point, bytes);
		if (used + len >= size)
			return -E2BIG;
		memcpy(buf + used, bytes, len);
		used += len;
		in += took;
		n -= took;
	}
	buf[used] = 0;
	return 0;
}

int efi_to_utf8(const CHAR16 *text, char *out, size_t room)
{
	return to_utf8(text, SIZE_MAX, out, room);
}

void *efi_find_table(const EFI_SYSTEM_TABLE *st, const EFI_GUID *guid)
{
	for (UINTN i = 0; i < st->NumberOfTableEntries; i++)
		if (!memcmp(&st->ConfigurationTable[i].VendorGuid, guid, sizeof(*guid)))
			return st->ConfigurationTable[i].VendorTable;
	return NULL;
}

unsigned efi_count_cpus(const EFI_SYSTEM_TABLE *st)
{
	struct mp_services *mp;
	UINTN all, enabled;

	if (st->BootServices->LocateProtocol(&efi_mp_services_guid, NULL, (void **)&mp) ||
	    mp->get_number(mp, &all, &enabled))
		return 1;
	return (unsigned)all;
}

size_t efi_path_bytes(const EFI_DEVICE_PATH *path)
{
	const EFI_DEVICE_PATH *node = path;

	while (!IsDevicePathEnd(node))
		node = NextDevicePathNode(node);
	return (size_t)((const char *)node - (const char *)path);
}

static bool starts_like(const char *text, const char *prefix, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (ascii_lower(text[i]) != ascii_lower(prefix[i]))
			return false;
	return true;
}

/* The part of a path behind its last separator. */
static const char *path_base_name(const char *path, size_t n)
{
	while (n && path[n - 1] != '\\' && path[n - 1] != '/' && path[n - 1] != ':')
		n--;
	return path + n;
}

#define OWN_NAME_MAX 256

/* The file's own name, in lower or upper case, from its device path; "" when there is none. */
static void own_name(const EFI_LOADED_IMAGE *image, char name[OWN_NAME_MAX])
{
	const EFI_DEVICE_PATH *path = image->FilePath;
	size_t bytes;

	name[0] = 0;
	if (!path || DevicePathType(path) != MEDIA_DEVICE_PATH ||
	    DevicePathSubType(path) != MEDIA_FILEPATH_DP)
		return;
	bytes = (size_t)DevicePathNodeLength(path) - sizeof(*path);
	if (to_utf8(((const FILEPATH_DEVICE_PATH *)path)->PathName, bytes / sizeof(CHAR16), name,
		    OWN_NAME_MAX))
		name[0] = 0;
}

/* Length of the first word when it names the program itself, with or without ".efi"; else 0. */
static size_t own_name_length(const char *options, const char *path)
{
	static const char suffix[] = ".efi";
	const size_t nsuffix = sizeof(suffix) - 1;
	const char *name = path_base_name(path, strlen(path)), *word;
	size_t nname = strlen(name), nword = 0, n;

	while (options[nword] && options[nword] != ' ')
		nword++;
	word = path_base_name(options, nword);
	n = nword - (size_t)(word - options);
	if (!n || !nname)
		return 0;
	if (n == nname && starts_like(word, name, n))
		return nword;
	if (n + nsuffix == nname && starts_like(word, name, n) &&
	    starts_like(name + n, suffix, nsuffix))
		return nword;
	return 0;
}

static void drop_own_name(const EFI_LOADED_IMAGE *image, char *options)
{
	char path[OWN_NAME_MAX];
	size_t n;

	own_name(image, path);
	n = own_name_length(options, path);
	if (!n)
		return;
	while (options[n] == ' ')
		n++;
	memmove(options, options + n, strlen(options + n) + 1);
}

struct load_options {
	const uint8_t *bytes;
	size_t n;
};

/* The bytes of a UCS-2 string with its terminator; 0: there is no terminator. */
static size_t string_bytes(const uint8_t *text, size_t room)
{
	for (size_t n = 0; n + sizeof(CHAR16) <= room; n += sizeof(CHAR16))
		if (!text[n] && !text[n + 1])
			return n + sizeof(CHAR16);
	return 0;
}

/*
 * Some firmware passes the whole boot option instead of its optional data: UEFI specification,
 * "Load Options", EFI_LOAD_OPTION. Its parts: attributes, bytes of the device path, description,
 * device path, optional data. Any other bytes are returned as they are.
 */
#define OPTION_ACTIVE     1u
#define OPTION_KNOWN      0x1f0bu /* attributes of the specification */
#define OPTION_HEAD_BYTES 6

static struct load_options optional_data(struct load_options all)
{
	uint32_t attributes;
	uint16_t path_bytes;
	size_t description, head;

	if (all.n < OPTION_HEAD_BYTES)
		return all;
	memcpy(&attributes, all.bytes, sizeof(attributes));
	memcpy(&path_bytes, all.bytes + sizeof(attributes), sizeof(path_bytes));
	description = string_bytes(all.bytes + OPTION_HEAD_BYTES, all.n - OPTION_HEAD_BYTES);
	head = OPTION_HEAD_BYTES + description + path_bytes;
	if (!(attributes & OPTION_ACTIVE) || attributes & ~OPTION_KNOWN || !description ||
	    path_bytes < sizeof(EFI_DEVICE_PATH) || head > all.n)
		return all;
	if (!IsDevicePathEnd((const EFI_DEVICE_PATH *)(all.bytes + head - sizeof(EFI_DEVICE_PATH))))
		return all;
	return (struct load_options){all.bytes + head, all.n - head};
}

/*
 * True where the bytes are one text: no control character, and nothing but zeros behind its end.
 * Windows' own options, which some firmware leaves to the program that it starts instead, have
 * both.
 */
static bool is_option_text(struct load_options options)
{
	bool ended = false;

	for (size_t i = 0; i + 1 < options.n; i += sizeof(CHAR16)) {
		const unsigned unit = options.bytes[i] | options.bytes[i + 1] << 8;

		if ((ended && unit) || (unit && unit < ' ' && unit != '\t'))
			return false;
		ended |= !unit;
	}
	return options.n % sizeof(CHAR16) == 0;
}

int efi_load_options(const EFI_LOADED_IMAGE *image, char *buf, size_t size)
{
	const struct load_options all = {image->LoadOptions, image->LoadOptionsSize};
	struct load_options options;
	int err;

	buf[0] = 0;
	if (!all.bytes || !all.n)
		return 0;
	if (all.n == sizeof(edk2_auto_created) && !memcmp(all.bytes, &edk2_auto_created, all.n))
		return 0;
	options = optional_data(all);
	if (!is_option_text(options))
		return -EILSEQ;
	err = to_utf8((const CHAR16 *)options.bytes, options.n / sizeof(CHAR16), buf, size);
	if (err) {
		buf[0] = 0;
		return err;
	}
	drop_own_name(image, buf);
	return 0;
}

void efi_tell_bad_options(EFI_SYSTEM_TABLE *st, const char *program, const EFI_LOADED_IMAGE *image,
			  size_t size)
{
	efi_printf(st, "%s: the load options (%lu bytes) are no text, or longer than %lu bytes\n",
		   program, (unsigned long)image->LoadOptionsSize, (unsigned long)(size - 1));
}

void efi_print(EFI_SYSTEM_TABLE *st, const char *text)
{
	CHAR16 unit[3] = {0, 0, 0};

	for (; *text; text++) {
		bool newline = *text == '\n';

		unit[0] = newline ? '\r' : (unsigned char)*text;
		unit[1] = newline ? '\n' : 0;
		st->ConOut->OutputString(st->ConOut, unit);
	}
}

#define PRINT_MAX 501

void efi_printf(EFI_SYSTEM_TABLE *st, const char *format, ...)
{
	char line[PRINT_MAX];
	va_list args;

	va_start(args, format);
	fmt_vprint(line, sizeof(line), format, args);
	va_end(args);
	efi_print(st, line);
}
