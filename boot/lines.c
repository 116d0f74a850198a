// SPDX-License-Identifier: BSD-2-Clause
/* lines.c - see lines.h. */
#include "boot/lines.h"

#include "boot/efi.h"
#include "lib/string.h"

#include <efipciio.h>
#include <linux/errno.h>
#include <stdbool.h>

#define EISA_PNP0501 0x050141d0 /* a 16550 */
#define WRITES_IDLE  3

static EFI_GUID serial_io_guid = SERIAL_IO_PROTOCOL;
static EFI_GUID pci_io_guid = EFI_PCI_IO_PROTOCOL_GUID;
static EFI_GUID text_input_guid = SIMPLE_TEXT_INPUT_PROTOCOL;

static struct line {
	EFI_HANDLE handle;
	SERIAL_IO_INTERFACE *io; /* NULL: the console */
	struct firmware_serial_place place;
	bool detached;
} lines[FIRMWARE_LINES_MOST];
static uint32_t nlines;

/*
 * The number of COM1 and its like, as the firmware's device path has it from ACPI; -1: it is none.
 */
static int com_number_of(EFI_SYSTEM_TABLE *st, EFI_HANDLE handle)
{
	EFI_DEVICE_PATH *node;

	if (st->BootServices->HandleProtocol(handle, &efi_device_path_guid, (void **)&node))
		return -1;
	for (; !IsDevicePathEnd(node); node = NextDevicePathNode(node)) {
		const ACPI_HID_DEVICE_PATH *acpi = (const ACPI_HID_DEVICE_PATH *)node;

		if (DevicePathType(node) == ACPI_DEVICE_PATH &&
		    DevicePathSubType(node) == ACPI_DP && acpi->HID == EISA_PNP0501)
			return (int)acpi->UID;
	}
	return -1;
}

/* Finds the PCI device of a line; a line behind a bridge to ISA has the bridge. False: there is
 * none. */
static bool find_card(EFI_SYSTEM_TABLE *st, EFI_HANDLE handle, struct firmware_serial_place *place)
{
	EFI_BOOT_SERVICES *bs = st->BootServices;
	UINTN segment, bus, slot, function;
	EFI_DEVICE_PATH *path;
	EFI_PCI_IO_PROTOCOL *pci;
	EFI_HANDLE card;

	if (bs->HandleProtocol(handle, &efi_device_path_guid, (void **)&path) ||
	    bs->LocateDevicePath(&pci_io_guid, &path, &card) ||
	    bs->HandleProtocol(card, &pci_io_guid, (void **)&pci) ||
	    pci->GetLocation(pci, &segment, &bus, &slot, &function))
		return false;
	place->bus = (uint8_t)bus;
	place->slot = (uint8_t)slot;
	place->function = (uint8_t)function;
	return true;
}

static void locate_line(EFI_SYSTEM_TABLE *st, struct line *line)
{
	const int number = com_number_of(st, line->handle);

	line->place = (struct firmware_serial_place){.kind = FIRMWARE_SERIAL_OTHER};
	if (number >= 0) {
		line->place.kind = FIRMWARE_SERIAL_COM;
		line->place.number = (uint8_t)(number + 1);
	} else if (find_card(st, line->handle, &line->place))
		line->place.kind = FIRMWARE_SERIAL_PCI;
}

/* True where the device path of `child` goes on behind that of `parent`. */
static bool is_path_below(EFI_BOOT_SERVICES *bs, EFI_HANDLE parent, EFI_HANDLE child)
{
	EFI_DEVICE_PATH *above, *below;
	size_t n;

	if (bs->HandleProtocol(parent, &efi_device_path_guid, (void **)&above) ||
	    bs->HandleProtocol(child, &efi_device_path_guid, (void **)&below))
		return false;
	n = efi_path_bytes(above);
	return efi_path_bytes(below) > n && !memcmp(above, below, n);
}

/* True where a terminal of the firmware's is below the line, and takes its input. */
static bool has_terminal(EFI_BOOT_SERVICES *bs, EFI_HANDLE handle)
{
	EFI_HANDLE *inputs;
	bool found = false;
	UINTN n;

	if (bs->LocateHandleBuffer(ByProtocol, &text_input_guid, NULL, &n, &inputs))
		return false;
	for (UINTN i = 0; i < n && !found; i++)
		found = is_path_below(bs, handle, inputs[i]);
	bs->FreePool(inputs);
	return found;
}

static void find_serial(EFI_SYSTEM_TABLE *st)
{
	EFI_BOOT_SERVICES *bs = st->BootServices;
	EFI_HANDLE *handles;
	UINTN n;

	if (bs->LocateHandleBuffer(ByProtocol, &serial_io_guid, NULL, &n, &handles))
		return;
	for (UINTN i = 0; i < n && nlines < FIRMWARE_LINES_MOST; i++) {
		struct line *line = &lines[nlines];

		line->handle = handles[i];
		if (bs->HandleProtocol(handles[i], &serial_io_guid, (void **)&line->io))
			continue;
		locate_line(st, line);
		line->detached = has_terminal(bs, handles[i]) &&
				 !bs->DisconnectController(handles[i], NULL, NULL);
		nlines++;
	}
	bs->FreePool(handles);
}

void lines_begin(EFI_SYSTEM_TABLE *st, bool shows_text)
{
	find_serial(st);
	if (shows_text && nlines < FIRMWARE_LINES_MOST)
		lines[nlines++] = (struct line){.place = {.kind = FIRMWARE_SERIAL_CONSOLE}};
}

void lines_end(EFI_SYSTEM_TABLE *st)
{
	while (nlines--)
		if (lines[nlines].detached)
			st->BootServices->ConnectController(lines[nlines].handle, NULL, NULL, TRUE);
	nlines = 0;
}

static int list_lines(struct firmware_serial *serial)
{
	serial->n = nlines;
	for (uint32_t i = 0; i < nlines; i++)
		serial->place[i] = lines[i].place;
	return 0;
}

/* The firmware's driver gives up after a while, in the middle of a write. A line that makes no
 * progress for several such periods accepts no data. */
static int write_line(struct line *line, uint64_t data, uint64_t bytes)
{
	for (unsigned idle = 0; bytes && idle < WRITES_IDLE;) {
		UINTN n = bytes;

		line->io->Write(line->io, &n, (void *)data);
		n = n <= bytes ? n : 0;
		idle = n ? 0 : idle + 1;
		data += n;
		bytes -= n;
	}
	return bytes ? -EIO : 0;
}

/* The console's text is printable ASCII with line breaks, tabs and backspaces. */
static int write_console(EFI_SYSTEM_TABLE *st, const char *bytes, uint64_t n)
{
	CHAR16 unit[2] = {0, 0};

	while (n--) {
		unit[0] = (unsigned char)*bytes++;
		st->ConOut->OutputString(st->ConOut, unit);
	}
	return 0;
}

int lines_answer(EFI_SYSTEM_TABLE *st, struct firmware_serial *serial)
{
	if (!serial->bytes)
		return list_lines(serial);
	if (serial->line >= nlines)
		return -ENODEV;
	if (!lines[serial->line].io)
		return write_console(st, (const char *)serial->data, serial->bytes);
	return write_line(&lines[serial->line], serial->data, serial->bytes);
}

/* Read() would wait a second for a byte that has not come. */
static bool has_byte(SERIAL_IO_INTERFACE *io)
{
	UINT32 control;

	return !io->GetControl(io, &control) && !(control & EFI_SERIAL_INPUT_BUFFER_EMPTY);
}

uint32_t lines_read(uint32_t mask, uint8_t *bytes, uint32_t room)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < nlines; i++)
		while (mask >> i & 1 && lines[i].io && n < room && has_byte(lines[i].io)) {
			UINTN one = 1;

			if (lines[i].io->Read(lines[i].io, &one, bytes + n) || !one)
				break;
			n++;
		}
	return n;
}
