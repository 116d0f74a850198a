// SPDX-License-Identifier: BSD-2-Clause
/* services.c - boot services that do otherwise than the specification says. */
#include "arch/x86/insn.h"
#include "lib/string.h"
#include "tests/field/field.h"

#define PAGE          4096u
#define PIECES        2000u
#define PIECES_AT     (1ull << 40) /* no memory is there */
#define STALE         2u           /* refusals of ExitBootServices */
#define LEFT_PAGES    ((16u << 20) / PAGE)
#define CR0_WP        (1ull << 16)
#define HELD_MOST     64
#define LARGEST_PAGES (1u << 20)

/* --- A memory map of many descriptors, which come before those of the memory that there is --- */

static EFI_STATUS EFIAPI give_long_map(UINTN *size, EFI_MEMORY_DESCRIPTOR *to, UINTN *key,
				       UINTN *descriptor_size, UINT32 *version)
{
	UINTN real = 0, more;
	EFI_STATUS err = field_bs->GetMemoryMap(&real, NULL, key, descriptor_size, version);

	more = PIECES * *descriptor_size;
	if (err != EFI_BUFFER_TOO_SMALL || *size < more + real) {
		*size = more + real;
		return EFI_BUFFER_TOO_SMALL;
	}
	for (UINTN i = 0; i < PIECES; i++) {
		EFI_MEMORY_DESCRIPTOR *d =
			(EFI_MEMORY_DESCRIPTOR *)((char *)to + i * *descriptor_size);

		memset(d, 0, *descriptor_size);
		d->Type = i % 2 ? EfiReservedMemoryType : EfiUnusableMemory;
		d->PhysicalStart = PIECES_AT + i * 2 * PAGE;
		d->NumberOfPages = 1;
	}
	real = *size - more;
	err = field_bs->GetMemoryMap(&real, (EFI_MEMORY_DESCRIPTOR *)((char *)to + more), key,
				     descriptor_size, version);
	*size = more + real;
	return err;
}

static void put_long_map(struct field_options *options)
{
	(void)options;
	field_st->BootServices->GetMemoryMap = give_long_map;
}

static void take_long_map(void)
{
	field_st->BootServices->GetMemoryMap = field_bs->GetMemoryMap;
}

/* --- ExitBootServices says twice that the map is stale. The CPU has write protection on --- */

static EFI_STATUS EFIAPI refuse_twice(EFI_HANDLE image, UINTN key)
{
	static unsigned refused;

	return refused++ < STALE ? EFI_INVALID_PARAMETER : field_bs->ExitBootServices(image, key);
}

static void put_stale(struct field_options *options)
{
	(void)options;
	field_st->BootServices->ExitBootServices = refuse_twice;
}

static void put_write_protection(struct field_options *options)
{
	(void)options;
	write_cr0(read_cr0() | CR0_WP);
}

/* --- Little memory --- */

static struct {
	EFI_PHYSICAL_ADDRESS at;
	UINTN pages;
} held[HELD_MOST];
static unsigned nheld;

static UINTN free_pages(void)
{
	static uint8_t map[64 * 1024] __attribute__((aligned(8)));
	UINTN used = sizeof(map), key, step, pages = 0;
	UINT32 version;

	if (field_bs->GetMemoryMap(&used, (EFI_MEMORY_DESCRIPTOR *)map, &key, &step, &version))
		return 0;
	for (UINTN at = 0; at < used; at += step) {
		const EFI_MEMORY_DESCRIPTOR *d = (const EFI_MEMORY_DESCRIPTOR *)(map + at);

		pages += d->Type == EfiConventionalMemory ? d->NumberOfPages : 0;
	}
	return pages;
}

static void put_little_memory(struct field_options *options)
{
	(void)options;
	for (UINTN pages = LARGEST_PAGES; pages && nheld < HELD_MOST;) {
		if (free_pages() < pages + LEFT_PAGES ||
		    field_bs->AllocatePages(AllocateAnyPages, EfiBootServicesData, pages,
					    &held[nheld].at)) {
			pages /= 2;
			continue;
		}
		held[nheld++].pages = pages;
	}
}

static void take_little_memory(void)
{
	while (nheld) {
		nheld--;
		field_bs->FreePages(held[nheld].at, held[nheld].pages);
	}
}

/* --- A serial line that is not the console's, and that cannot be disconnected --- */

static EFI_GUID serial_io_guid = SERIAL_IO_PROTOCOL;

static struct {
	VENDOR_DEVICE_PATH vendor;
	EFI_DEVICE_PATH end;
} __attribute__((packed)) other_path = {
	.vendor = {.Header = {HARDWARE_DEVICE_PATH, HW_VENDOR_DP, {sizeof(VENDOR_DEVICE_PATH), 0}},
		   .Guid = {0x2d0f9b6a,
			    0x5c31,
			    0x4f0e,
			    {0x8e, 0x44, 0x71, 0x9a, 0x0b, 0xd2, 0x6c, 0x15}}},
	.end = {END_DEVICE_PATH_TYPE, END_ENTIRE_DEVICE_PATH_SUBTYPE, {sizeof(EFI_DEVICE_PATH), 0}},
};

static EFI_HANDLE other_line;
static SERIAL_IO_MODE other_mode;
static UINTN other_written;

static EFI_STATUS EFIAPI write_other(SERIAL_IO_INTERFACE *this, UINTN *bytes, VOID *from)
{
	(void)this;
	(void)from;
	other_written += *bytes;
	return EFI_SUCCESS;
}

static EFI_STATUS EFIAPI tell_control(SERIAL_IO_INTERFACE *this, UINT32 *control)
{
	(void)this;
	*control = EFI_SERIAL_INPUT_BUFFER_EMPTY;
	return EFI_SUCCESS;
}

static SERIAL_IO_INTERFACE other = {
	.Revision = SERIAL_IO_INTERFACE_REVISION,
	.GetControl = tell_control,
	.Write = write_other,
	.Mode = &other_mode,
};

static EFI_STATUS EFIAPI hang_for_other(EFI_HANDLE handle, EFI_HANDLE driver, EFI_HANDLE child)
{
	if (handle != other_line)
		return field_bs->DisconnectController(handle, driver, child);
	field_say("\nfield: DisconnectController of a line that is not the console's: it hangs\n");
	for (;;)
		cpu_pause();
}

static void put_hanging_line(struct field_options *options)
{
	(void)options;
	field_bs->InstallProtocolInterface(&other_line, &serial_io_guid, EFI_NATIVE_INTERFACE,
					   &other);
	field_bs->InstallProtocolInterface(&other_line, &efi_device_path_guid, EFI_NATIVE_INTERFACE,
					   &other_path);
	field_st->BootServices->DisconnectController = hang_for_other;
}

static void take_hanging_line(void)
{
	field_st->BootServices->DisconnectController = field_bs->DisconnectController;
	field_bs->UninstallProtocolInterface(other_line, &efi_device_path_guid, &other_path);
	field_bs->UninstallProtocolInterface(other_line, &serial_io_guid, &other);
	other_line = NULL;
	field_say("field: the other line has text: %s\n", other_written ? "yes" : "no");
}

/* --- Other CPUs --- */

static EFI_STATUS EFIAPI hide_mp_services(EFI_GUID *guid, VOID *registration, VOID **interface)
{
	if (!memcmp(guid, &efi_mp_services_guid, sizeof(*guid)))
		return EFI_NOT_FOUND;
	return field_bs->LocateProtocol(guid, registration, interface);
}

static void put_no_mp_services(struct field_options *options)
{
	(void)options;
	field_st->BootServices->LocateProtocol = hide_mp_services;
}

static void take_no_mp_services(void)
{
	field_st->BootServices->LocateProtocol = field_bs->LocateProtocol;
}

static struct mp_services *mp;
static __typeof__(mp->startup_this) real_startup;

/* The firmware says that the CPU has begun. It never does. */
static EFI_STATUS EFIAPI start_nothing(struct mp_services *this, void(EFIAPI *procedure)(void *arg),
				       UINTN index, EFI_EVENT wait, UINTN microseconds, void *arg,
				       BOOLEAN *finished)
{
	(void)this;
	(void)procedure;
	(void)index;
	(void)wait;
	(void)microseconds;
	(void)arg;
	(void)finished;
	return EFI_SUCCESS;
}

static void put_silent_cpu(struct field_options *options)
{
	(void)options;
	if (field_bs->LocateProtocol(&efi_mp_services_guid, NULL, (void **)&mp))
		return;
	real_startup = mp->startup_this;
	mp->startup_this = start_nothing;
}

static void take_silent_cpu(void)
{
	if (mp)
		mp->startup_this = real_startup;
}

const struct field_fault field_services_faults[] = {
	{"long-map", put_long_map, take_long_map},
	{"stale", put_stale, NULL},
	{"wp", put_write_protection, NULL},
	{"16m", put_little_memory, take_little_memory},
	{"hanging-line", put_hanging_line, take_hanging_line},
	{"no-mp", put_no_mp_services, take_no_mp_services},
	{"silent-cpu", put_silent_cpu, take_silent_cpu},
	{0},
};
