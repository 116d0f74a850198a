// SPDX-License-Identifier: BSD-2-Clause
/* main.c - runs the guests that the load options name; then the machine is reset. */
#include "tests/guests/guests.h"

#include "arch/x86/insn.h"
#include "boot/efi.h"
#include "lib/printf.h"
#include "lib/string.h"
#include "tests/guests/world/guest_world.h"

#define COM1       0x3f8
#define LINE_FREE  0x20
#define LINE_BYTES 256
#define RESET_PORT 0xcf9
#define FULL_RESET 6

EFI_STATUS efi_main(EFI_HANDLE image, EFI_SYSTEM_TABLE *system_table);

static EFI_SYSTEM_TABLE *st;

static const struct guest {
	const char *name;
	void (*run)(void);
} guests[] = {
	{"cpus", guest_cpus},         {"apic", guest_apic},
	{"debug", guest_debug},       {"interrupts", guest_interrupts},
	{"hpet", guest_hpet},         {"pci", guest_pci},
	{"faults", guest_faults},     {"nmi", guest_nmi},
	{"xsave", guest_xsave},       {"system", guest_system},
	{"modes", guest_modes},       {"ring3", guest_ring3},
	{"code", guest_code},         {"paging", guest_paging},
	{"resets", guest_resets},     {"cpu_resets", guest_cpu_resets},
	{"starts", guest_starts},     {"x2apic", guest_x2apic},
	{"sleep", guest_sleep},       {"jump", guest_jump},
	{"prefixes", guest_prefixes}, {"gates", guest_gates},
	{"stepped", guest_stepped},   {"clocks", guest_clocks},
	{"virtual", guest_virtual},   {"control", guest_control},
	{"refused", guest_refused},
};

static void send_guest_char(char c)
{
	while (!(inb(COM1 + 5) & LINE_FREE))
		cpu_pause();
	outb(COM1, (uint8_t)c);
}

void guest_print(const char *format, ...)
{
	char line[LINE_BYTES];
	va_list args;

	va_start(args, format);
	fmt_vprint(line, sizeof(line), format, args);
	va_end(args);
	for (const char *c = line; *c; c++)
		send_guest_char(*c);
	send_guest_char('\r');
	send_guest_char('\n');
}

uint8_t *guest_low_page(void)
{
	EFI_PHYSICAL_ADDRESS base = 0x9ffff;

	if (st->BootServices->AllocatePages(AllocateMaxAddress, EfiLoaderData, 1, &base)) {
		guest_print("guest: no page below 640 KiB");
		return NULL;
	}
	return (uint8_t *)base;
}

const void *guest_acpi(void)
{
	return efi_find_table(st, &efi_acpi20_guid);
}

unsigned guest_cpu_count(void)
{
	return efi_count_cpus(st);
}

void guest_firmware_reset(void)
{
	st->RuntimeServices->ResetSystem(EfiResetCold, EFI_SUCCESS, 0, NULL);
}

_Noreturn void guest_power_off(void)
{
	st->RuntimeServices->ResetSystem(EfiResetShutdown, EFI_SUCCESS, 0, NULL);
	for (;;)
		cpu_halt();
}

void guest_spin(void)
{
	for (volatile unsigned i = 0; i < 200000; i++)
		;
}

void world_unexpected(const struct world_trap *trap)
{
	guest_print("guest: vector %llu, error %llx, %lld bytes behind efi_main()",
		    (unsigned long long)trap->vector, (unsigned long long)trap->error,
		    (long long)(trap->rip - (uint64_t)efi_main));
}

static void run_guest(const char *name, size_t n)
{
	for (size_t i = 0; i < sizeof(guests) / sizeof(*guests); i++)
		if (strlen(guests[i].name) == n && !memcmp(guests[i].name, name, n)) {
			guest_print("guest: %s", guests[i].name);
			guests[i].run();
			return;
		}
	guest_print("guest: there is none of that name");
}

static void run_named(const char *text)
{
	while (*text) {
		size_t n = 0;

		while (text[n] && text[n] != ' ')
			n++;
		if (n)
			run_guest(text, n);
		text += n + (text[n] == ' ');
	}
}

EFI_STATUS efi_main(EFI_HANDLE image, EFI_SYSTEM_TABLE *system_table)
{
	static char text[LINE_BYTES];
	EFI_LOADED_IMAGE *self;

	st = system_table;
	if (st->BootServices->HandleProtocol(image, &efi_loaded_image_guid, (void **)&self) ||
	    efi_load_options(self, text, sizeof(text)))
		return EFI_INVALID_PARAMETER;
	st->BootServices->SetWatchdogTimer(0, 0, 0, NULL);
	run_named(text);
	guest_print("guest: end");
	outb(RESET_PORT, FULL_RESET);
	return EFI_SUCCESS;
}
