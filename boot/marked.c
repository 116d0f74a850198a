// SPDX-License-Identifier: BSD-2-Clause
/*
 * marked.c - see marked.h. UEFI specification, "EFI_SIMPLE_TEXT_OUTPUT_PROTOCOL": a console of one
 * mode, which writes text and keeps nothing else.
 */
#include "boot/marked.h"

#include "arch/x86/insn.h"
#include "boot/efi.h"
#include "include/perf0/marks.h"
#include "lib/printf.h"

#include <stdbool.h>

#define UART_LSR       5
#define LSR_DATA_READY (1u << 0)
#define LSR_THR_EMPTY  (1u << 5)
#define COLUMNS        80
#define ROWS           25

/* Units that are converted to UTF-8 at a time. */
#define PIECE_UNITS 64

static bool after_cr; /* a CR that has not been written: CR before LF is dropped */

static void send_byte(char c)
{
	while (!(inb(MARKED_PORT + UART_LSR) & LSR_THR_EMPTY))
		;
	outb(MARKED_PORT, (uint8_t)c);
}

static void send_bytes(const char *text)
{
	while (*text)
		send_byte(*text++);
}

static void send_without_cr(const char *text)
{
	for (; *text; text++) {
		if (after_cr && *text != '\n')
			send_byte('\r');
		after_cr = *text == '\r';
		if (!after_cr)
			send_byte(*text);
	}
}

static EFI_STATUS EFIAPI reset_console(SIMPLE_TEXT_OUTPUT_INTERFACE *console, BOOLEAN verify)
{
	(void)verify;
	console->Mode->CursorColumn = console->Mode->CursorRow = 0;
	return EFI_SUCCESS;
}

/* Text wraps where a screen of that mode would, for images that ask for the cursor's position. */
static void move_cursor(SIMPLE_TEXT_OUTPUT_MODE *mode, CHAR16 c)
{
	if (c == '\r')
		mode->CursorColumn = 0;
	else if (c == '\b')
		mode->CursorColumn -= mode->CursorColumn > 0;
	else if (c != '\n')
		mode->CursorColumn++;
	if (c == '\n' || mode->CursorColumn == COLUMNS) {
		mode->CursorRow += mode->CursorRow < ROWS - 1;
		mode->CursorColumn = c == '\n' ? mode->CursorColumn : 0;
	}
}

static bool is_high_surrogate(CHAR16 c)
{
	return c >= 0xd800 && c < 0xdc00;
}

/* Units that are no UTF-16 are printed as numbers. */
static void send_piece(const CHAR16 *piece)
{
	char text[4 * PIECE_UNITS + 1], number[16];

	if (!efi_to_utf8(piece, text, sizeof(text))) {
		send_without_cr(text);
		return;
	}
	for (; *piece; piece++) {
		fmt_print(number, sizeof(number), *piece < 0x80 ? "%c" : "\\u%04x", *piece);
		send_without_cr(number);
	}
}

static EFI_STATUS EFIAPI output_string(SIMPLE_TEXT_OUTPUT_INTERFACE *console, CHAR16 *string)
{
	CHAR16 piece[PIECE_UNITS + 1];

	while (*string) {
		unsigned n = 0;

		for (; *string && (n < PIECE_UNITS - 1 ||
				   (n < PIECE_UNITS && n && is_high_surrogate(piece[n - 1])));
		     string++) {
			move_cursor(console->Mode, *string);
			piece[n++] = *string;
		}
		piece[n] = 0;
		send_piece(piece);
	}
	return EFI_SUCCESS;
}

static EFI_STATUS EFIAPI test_string(SIMPLE_TEXT_OUTPUT_INTERFACE *console, CHAR16 *string)
{
	(void)console;
	(void)string;
	return EFI_SUCCESS;
}

static EFI_STATUS EFIAPI query_mode(SIMPLE_TEXT_OUTPUT_INTERFACE *console, UINTN mode,
				    UINTN *columns, UINTN *rows)
{
	(void)console;
	if (mode)
		return EFI_UNSUPPORTED;
	*columns = COLUMNS;
	*rows = ROWS;
	return EFI_SUCCESS;
}

static EFI_STATUS EFIAPI set_mode(SIMPLE_TEXT_OUTPUT_INTERFACE *console, UINTN mode)
{
	return mode ? EFI_UNSUPPORTED : reset_console(console, FALSE);
}

static EFI_STATUS EFIAPI set_attribute(SIMPLE_TEXT_OUTPUT_INTERFACE *console, UINTN attribute)
{
	console->Mode->Attribute = (INT32)attribute;
	return EFI_SUCCESS;
}

static EFI_STATUS EFIAPI clear_screen(SIMPLE_TEXT_OUTPUT_INTERFACE *console)
{
	return reset_console(console, FALSE);
}

static EFI_STATUS EFIAPI set_cursor(SIMPLE_TEXT_OUTPUT_INTERFACE *console, UINTN column, UINTN row)
{
	if (column >= COLUMNS || row >= ROWS)
		return EFI_UNSUPPORTED;
	console->Mode->CursorColumn = (INT32)column;
	console->Mode->CursorRow = (INT32)row;
	return EFI_SUCCESS;
}

static EFI_STATUS EFIAPI enable_cursor(SIMPLE_TEXT_OUTPUT_INTERFACE *console, BOOLEAN visible)
{
	console->Mode->CursorVisible = visible;
	return EFI_SUCCESS;
}

static SIMPLE_TEXT_OUTPUT_MODE mode = {.MaxMode = 1, .Attribute = EFI_LIGHTGRAY};
static SIMPLE_TEXT_OUTPUT_INTERFACE console;

static void seal_table(EFI_SYSTEM_TABLE *st)
{
	st->Hdr.CRC32 = 0;
	st->BootServices->CalculateCrc32(st, st->Hdr.HeaderSize, &st->Hdr.CRC32);
}

static void send_mark(const char *word)
{
	send_byte(MARK_BYTE);
	send_bytes(word);
	send_byte('\n');
}

/* QEMU leaves its CPU at each PAUSE, so the wait has few instructions. */
void marked_await(char byte)
{
	send_mark(MARK_AWAIT);
	while (!(inb(MARKED_PORT + UART_LSR) & LSR_DATA_READY) || inb(MARKED_PORT) != (uint8_t)byte)
		cpu_pause();
}

void marked_begin(EFI_SYSTEM_TABLE *st)
{
	console = (SIMPLE_TEXT_OUTPUT_INTERFACE){
		.Reset = reset_console,
		.OutputString = output_string,
		.TestString = test_string,
		.QueryMode = query_mode,
		.SetMode = set_mode,
		.SetAttribute = set_attribute,
		.ClearScreen = clear_screen,
		.SetCursorPosition = set_cursor,
		.EnableCursor = enable_cursor,
		.Mode = &mode,
	};
	st->ConOut = st->StdErr = &console;
	seal_table(st);
	send_mark(MARK_BEGIN);
}

void marked_start(void)
{
	send_mark(MARK_START);
}

void marked_end(EFI_SYSTEM_TABLE *st, EFI_STATUS status)
{
	char word[MARK_MOST + 1];

	fmt_print(word, sizeof(word), MARK_END " %016lx", (unsigned long)status);
	send_mark(word);
	st->RuntimeServices->ResetSystem(EfiResetShutdown, EFI_SUCCESS, 0, NULL);
}
