// SPDX-License-Identifier: BSD-2-Clause
/* screens.c - see screens.h. UEFI specification, "Graphics Output Protocol". */
#include "boot/screens.h"

#include <stdbool.h>

#define LOW_BYTE    0x000000ffu
#define MIDDLE_BYTE 0x0000ff00u
#define HIGH_BYTE   0x00ff0000u

static EFI_GUID gop_guid = EFI_GRAPHICS_OUTPUT_PROTOCOL_GUID;

/* False: the mode has other pixels, or no framebuffer in memory. */
static bool read_masks(const EFI_GRAPHICS_OUTPUT_MODE_INFORMATION *info, uint32_t masks[3])
{
	const EFI_PIXEL_BITMASK *m = &info->PixelInformation;

	switch (info->PixelFormat) {
	case PixelRedGreenBlueReserved8BitPerColor:
		masks[0] = LOW_BYTE;
		masks[1] = MIDDLE_BYTE;
		masks[2] = HIGH_BYTE;
		return true;
	case PixelBlueGreenRedReserved8BitPerColor:
		masks[0] = HIGH_BYTE;
		masks[1] = MIDDLE_BYTE;
		masks[2] = LOW_BYTE;
		return true;
	case PixelBitMask:
		masks[0] = m->RedMask;
		masks[1] = m->GreenMask;
		masks[2] = m->BlueMask;
		return (m->RedMask | m->GreenMask | m->BlueMask | m->ReservedMask) >> 24;
	default:
		return false;
	}
}

static bool has_screen(const struct handoff *handoff, uint64_t base)
{
	for (uint32_t i = 0; i < handoff->nscreens; i++)
		if (handoff->screens[i].base == base)
			return true;
	return false;
}

static void add_screen(EFI_SYSTEM_TABLE *st, EFI_HANDLE handle, struct handoff *handoff)
{
	struct handoff_framebuffer *screen = &handoff->screens[handoff->nscreens];
	const EFI_GRAPHICS_OUTPUT_MODE_INFORMATION *info;
	EFI_GRAPHICS_OUTPUT_PROTOCOL *gop;

	if (handoff->nscreens == HANDOFF_MAX_SCREENS ||
	    st->BootServices->HandleProtocol(handle, &gop_guid, (void **)&gop) || !gop->Mode ||
	    !gop->Mode->Info)
		return;
	info = gop->Mode->Info;
	if (!gop->Mode->FrameBufferBase || info->PixelsPerScanLine < info->HorizontalResolution ||
	    !read_masks(info, screen->masks)) {
		handoff->odd_screens++;
		return;
	}
	if (has_screen(handoff, gop->Mode->FrameBufferBase))
		return;
	screen->base = gop->Mode->FrameBufferBase;
	screen->width = info->HorizontalResolution;
	screen->height = info->VerticalResolution;
	screen->stride = info->PixelsPerScanLine;
	handoff->nscreens++;
}

void screens_note(EFI_SYSTEM_TABLE *st, struct handoff *handoff)
{
	EFI_BOOT_SERVICES *bs = st->BootServices;
	EFI_HANDLE *handles;
	UINTN n;

	if (st->ConsoleOutHandle)
		add_screen(st, st->ConsoleOutHandle, handoff);
	if (bs->LocateHandleBuffer(ByProtocol, &gop_guid, NULL, &n, &handles))
		return;
	for (UINTN i = 0; i < n; i++)
		add_screen(st, handles[i], handoff);
	bs->FreePool(handles);
}
