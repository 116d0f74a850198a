// SPDX-License-Identifier: BSD-2-Clause
/*
 * refuse.c - EFI/BOOT/BOOTIA32.EFI of a stick: firmware of 32 bits starts it, and it tells why
 * perf0 does not start there. It waits for a key, so that the text can be read.
 */
#include <efi.h>

EFI_STATUS efi_main(EFI_HANDLE self, EFI_SYSTEM_TABLE *st);

static CHAR16 text[] =
	L"\r\n"
	L"perf0: this firmware has 32 bits, and perf0 needs UEFI of 64 bits.\r\n"
	L"\r\n"
	L"The CPU may well have 64 bits: some tablets and small PCs have such firmware\r\n"
	L"all the same, and there perf0 cannot run. On other machines:\r\n"
	L"  - look in the setup for a choice between UEFI of 32 and of 64 bits;\r\n"
	L"  - under QEMU, start with the OVMF of x86_64 (qemu-system-x86_64).\r\n"
	L"\r\n"
	L"Nothing was changed. A key goes back to the firmware.\r\n";

EFI_STATUS efi_main(EFI_HANDLE self, EFI_SYSTEM_TABLE *st)
{
	UINTN index;

	(void)self;
	st->ConOut->OutputString(st->ConOut, text);
	st->BootServices->WaitForEvent(1, &st->ConIn->WaitForKey, &index);
	return EFI_UNSUPPORTED;
}
