// SPDX-License-Identifier: BSD-2-Clause
/*
 * screen.c - screens of other kinds. Their framebuffer is memory, so that the pixels that the image
 * draws can be looked at.
 */
#include "lib/string.h"
#include "tests/field/field.h"

#define SCREENS_MOST 8
#define SAID_MAX     65536
#define PAGE         4096
#define WIDTH        800u
#define HEIGHT       600u
#define PADDED       832u

static EFI_GUID gop_guid = EFI_GRAPHICS_OUTPUT_PROTOCOL_GUID;

static struct {
	EFI_GRAPHICS_OUTPUT_PROTOCOL *gop[SCREENS_MOST];
	EFI_GRAPHICS_OUTPUT_PROTOCOL_MODE *mode[SCREENS_MOST];
	EFI_GRAPHICS_OUTPUT_MODE_INFORMATION info;
	EFI_GRAPHICS_OUTPUT_PROTOCOL_MODE changed;
	uint32_t *pixels;
	unsigned n;
} screen;

/* --- The firmware's console: keeps what it is told --- */

static SIMPLE_TEXT_OUTPUT_INTERFACE *console, heard;
static char said[SAID_MAX];
static size_t nsaid;

static EFI_STATUS EFIAPI hear_text(SIMPLE_TEXT_OUTPUT_INTERFACE *this, CHAR16 *text)
{
	(void)this;
	for (; *text && nsaid < SAID_MAX - 1; text++)
		said[nsaid++] = (char)*text;
	said[nsaid] = '\0';
	return EFI_SUCCESS;
}

static EFI_STATUS EFIAPI hear_clear(SIMPLE_TEXT_OUTPUT_INTERFACE *this)
{
	(void)this;
	return EFI_SUCCESS;
}

static void hear_console(void)
{
	console = field_st->ConOut;
	heard = *console;
	heard.OutputString = hear_text;
	heard.ClearScreen = hear_clear;
	nsaid = 0;
	said[0] = '\0';
	field_st->ConOut = &heard;
}

static bool has_text(const char *wanted)
{
	const size_t n = strlen(wanted);

	for (size_t i = 0; i + n <= nsaid; i++)
		if (!strncmp(said + i, wanted, n))
			return true;
	return false;
}

/* --- Modes --- */

static void change_screens(void)
{
	EFI_HANDLE *handles;
	UINTN n;

	if (field_bs->LocateHandleBuffer(ByProtocol, &gop_guid, NULL, &n, &handles))
		return;
	for (UINTN i = 0; i < n && screen.n < SCREENS_MOST; i++) {
		EFI_GRAPHICS_OUTPUT_PROTOCOL *gop;

		if (field_bs->HandleProtocol(handles[i], &gop_guid, (void **)&gop))
			continue;
		screen.gop[screen.n] = gop;
		screen.mode[screen.n++] = gop->Mode;
		gop->Mode = &screen.changed;
	}
	field_bs->FreePool(handles);
}

static void put_screen(uint32_t width, uint32_t height, uint32_t stride,
		       EFI_GRAPHICS_PIXEL_FORMAT format)
{
	const UINTN bytes = (UINTN)(stride > width ? stride : width) * height * sizeof(uint32_t);
	EFI_PHYSICAL_ADDRESS at = 0;

	if (!field_bs->AllocatePages(AllocateAnyPages, EfiReservedMemoryType,
				     (bytes + PAGE - 1) / PAGE, &at))
		memset((void *)at, 0, bytes);
	screen.pixels = (uint32_t *)at;
	screen.info = (EFI_GRAPHICS_OUTPUT_MODE_INFORMATION){
		.HorizontalResolution = width,
		.VerticalResolution = height,
		.PixelFormat = format,
		.PixelsPerScanLine = stride,
	};
	screen.changed = (EFI_GRAPHICS_OUTPUT_PROTOCOL_MODE){
		.MaxMode = 1,
		.Info = &screen.info,
		.SizeOfInfo = sizeof(screen.info),
		.FrameBufferBase = format == PixelBltOnly ? 0 : at,
		.FrameBufferSize = format == PixelBltOnly ? 0 : bytes,
	};
	screen.n = 0;
	change_screens();
	hear_console();
}

static uint32_t count_lit(uint32_t from, uint32_t to)
{
	const uint32_t stride = screen.info.PixelsPerScanLine;
	uint32_t lit = 0;

	for (uint32_t y = 0; y < screen.info.VerticalResolution; y++)
		for (uint32_t x = from; x < to; x++)
			lit += screen.pixels[y * stride + x] != 0;
	return lit;
}

static void take_screen(void)
{
	const uint32_t width = screen.info.HorizontalResolution;

	field_st->ConOut = console;
	while (screen.n) {
		screen.n--;
		screen.gop[screen.n]->Mode = screen.mode[screen.n];
	}
	field_say(
		"field: pixels are lit: %s, beside the lines: %u; the console has the prompt: %s\n",
		count_lit(0, width) ? "yes" : "no", count_lit(width, screen.info.PixelsPerScanLine),
		has_text("perf0> version") ? "yes" : "no");
}

static void put_blt_only(struct field_options *options)
{
	(void)options;
	put_screen(WIDTH, HEIGHT, WIDTH, PixelBltOnly);
}

static void put_rotated(struct field_options *options)
{
	(void)options;
	put_screen(HEIGHT, WIDTH, HEIGHT, PixelBlueGreenRedReserved8BitPerColor);
}

static void put_padded(struct field_options *options)
{
	(void)options;
	put_screen(WIDTH, HEIGHT, PADDED, PixelBlueGreenRedReserved8BitPerColor);
}

/* Less than the width: no firmware may say this. */
static void put_narrow(struct field_options *options)
{
	(void)options;
	put_screen(WIDTH, HEIGHT, WIDTH / 2, PixelBlueGreenRedReserved8BitPerColor);
}

const struct field_fault field_screen_faults[] = {
	{"bltonly", put_blt_only, take_screen},
	{"rotated", put_rotated, take_screen},
	{"padded", put_padded, take_screen},
	{"narrow", put_narrow, take_screen},
	{0},
};
