/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * efi.h - the firmware's services that both programs of boot/ use: load options as text, and output
 * of one line. Only boot/ may include this file, or any header of UEFI's.
 *
 * All functions run in task context, before ExitBootServices, and need no initialisation.
 */
#ifndef BOOT_EFI_H
#define BOOT_EFI_H

#include <efi.h>

#include <stddef.h>
#include <stdint.h>

/* Protocols by their UEFI names; libefi, which would define them, is not linked. */
extern EFI_GUID efi_loaded_image_guid;
extern EFI_GUID efi_device_path_guid;
extern EFI_GUID efi_simple_file_system_guid;
extern EFI_GUID efi_block_io_guid;
extern EFI_GUID efi_mp_services_guid;

/* GUIDs of the firmware's configuration tables. */
extern EFI_GUID efi_acpi20_guid;

/*
 * UEFI Platform Initialization specification, EFI_MP_SERVICES_PROTOCOL: the members that are used.
 */
struct mp_services {
	EFI_STATUS(EFIAPI *get_number)(struct mp_services *mp, UINTN *all, UINTN *enabled);
	EFI_STATUS(EFIAPI *get_information)(struct mp_services *mp, UINTN index, void *information);
	void *startup_all;
	EFI_STATUS(EFIAPI *startup_this)
	(struct mp_services *mp, void(EFIAPI *procedure)(void *arg), UINTN index, EFI_EVENT wait,
	 UINTN microseconds, void *arg, BOOLEAN *finished);
};

/* efi_find_table() - the firmware's table of that GUID; NULL: it has none. */
void *efi_find_table(const EFI_SYSTEM_TABLE *st, const EFI_GUID *guid);

/* efi_count_cpus() - CPUs that the firmware knows; 1 where it does not tell. */
unsigned efi_count_cpus(const EFI_SYSTEM_TABLE *st);

/* efi_path_bytes() - the size of a device path, without the node that ends it. */
size_t efi_path_bytes(const EFI_DEVICE_PATH *path);

/*
 * efi_load_options() - the image's load options in UTF-8, without the program's own name that the
 * UEFI shell puts first; `buf` of `size` > 0 bytes is always terminated. No options, or the mark
 * that EDK2's boot manager leaves instead of options: "". Of a whole EFI_LOAD_OPTION: its optional
 * data. Returns 0, -E2BIG when they did not fit, or -EILSEQ when they are not UTF-16 text; then
 * `buf` is "". UEFI specification, "EFI_LOADED_IMAGE_PROTOCOL".
 */
int efi_load_options(const EFI_LOADED_IMAGE *image, char *buf, size_t size);

/* efi_tell_bad_options() - prints why efi_load_options() refused the options of `image`. */
void efi_tell_bad_options(EFI_SYSTEM_TABLE *st, const char *program, const EFI_LOADED_IMAGE *image,
			  size_t size);

/*
 * efi_to_utf16() - `text` (UTF-8) into `out`, which has room for `room` > 0 units, terminator
 * counted. Returns the units written, terminator counted, or 0 when it does not fit or is not
 * UTF-8.
 */
size_t efi_to_utf16(const char *text, CHAR16 *out, size_t room);

/* efi_to_utf8() - `text`, terminated, into `out` of `room` > 0 bytes, which is terminated, too. 0,
 * -E2BIG or -EILSEQ. */
int efi_to_utf8(const CHAR16 *text, char *out, size_t room);

/* efi_print() - ASCII to the firmware's console; "\n" becomes CR LF. */
void efi_print(EFI_SYSTEM_TABLE *st, const char *text);

/* efi_printf() - the same, formatted; at most 500 bytes. */
void efi_printf(EFI_SYSTEM_TABLE *st, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
