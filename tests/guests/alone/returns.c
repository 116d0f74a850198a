// SPDX-License-Identifier: BSD-2-Clause
/*
 * returns.c - a program of UEFI that does what its load options say, word by word:
 *
 *	say WORD    prints WORD to the firmware's console, with a character that is not ASCII
 *	line WORD   writes WORD to the first serial line
 *	key         waits for a key, and prints it
 *	screen      prints how many pixels the first screen has
 *	cpuid       prints the vendor of the CPU, and whether it is under vpmu
 *	exit N      ends by QEMU's isa-debug-exit
 *	reset, off  ends the machine
 *	error N     returns EFI's error N; a number alone is returned as it is
 */
#include <efi.h>

#define COM1       0x3f8
#define DEBUG_EXIT 0xf4
#define VPMU_LEAF  0x4fff0000u
#define WORD_UNITS 64

static EFI_SYSTEM_TABLE *st;

static void print(const CHAR16 *text)
{
	st->ConOut->OutputString(st->ConOut, (CHAR16 *)text);
}

static void send_line(const CHAR16 *text)
{
	for (; *text; text++)
		__asm__ volatile("outb %0, %1" : : "a"((UINT8)*text), "Nd"((UINT16)COM1));
	__asm__ volatile("outb %0, %1" : : "a"((UINT8)'\n'), "Nd"((UINT16)COM1));
}

static UINTN number_in(const CHAR16 *text)
{
	UINTN n = 0;

	for (; *text >= '0' && *text <= '9'; text++)
		n = n * 10 + (UINTN)(*text - '0');
	return n;
}

static int is_word(const CHAR16 *word, const char *name)
{
	while (*name && *word == (CHAR16)*name)
		word++, name++;
	return !*name && !*word;
}

static const CHAR16 *next_word(const CHAR16 *text, CHAR16 word[WORD_UNITS])
{
	unsigned n = 0;

	while (*text == ' ')
		text++;
	for (; *text && *text != ' ' && n < WORD_UNITS - 1; text++)
		word[n++] = *text;
	word[n] = 0;
	return text;
}

static void print_registers(UINT32 leaf, const char *order)
{
	UINT32 r[4];
	CHAR16 text[5] = {0};

	__asm__ volatile("cpuid"
			 : "=a"(r[0]), "=b"(r[1]), "=c"(r[2]), "=d"(r[3])
			 : "a"(leaf), "c"(0));
	for (; *order; order++) {
		for (int i = 0; i < 4; i++)
			text[i] = (CHAR16)(r[*order - 'a'] >> 8 * i & 0x7f);
		print(text);
	}
	print((const CHAR16 *)L"\r\n");
}

static void wait_for_key(void)
{
	CHAR16 text[] = {'<', 0, '>', '\r', '\n', 0};
	EFI_INPUT_KEY key;

	while (st->ConIn->ReadKeyStroke(st->ConIn, &key))
		;
	text[1] = key.UnicodeChar;
	print(text);
}

static void print_number(UINT32 n)
{
	CHAR16 digits[11] = {0}, *at = digits + 10;

	do
		*--at = (CHAR16)('0' + n % 10);
	while (n /= 10);
	print(at);
}

static void print_screen(void)
{
	EFI_GUID guid = EFI_GRAPHICS_OUTPUT_PROTOCOL_GUID;
	EFI_GRAPHICS_OUTPUT_PROTOCOL *gop;

	if (st->BootServices->LocateProtocol(&guid, NULL, (void **)&gop)) {
		print((const CHAR16 *)L"none\r\n");
		return;
	}
	print_number(gop->Mode->Info->HorizontalResolution);
	print((const CHAR16 *)L" x ");
	print_number(gop->Mode->Info->VerticalResolution);
	print((const CHAR16 *)L"\r\n");
}

/* True: the program ends, with *status. */
static int do_word(const CHAR16 *word, const CHAR16 *operand, EFI_STATUS *status)
{
	if (is_word(word, "say")) {
		print(operand);
		print((const CHAR16 *)L" \u00fc\r\n");
	} else if (is_word(word, "line")) {
		send_line(operand);
	} else if (is_word(word, "key")) {
		wait_for_key();
	} else if (is_word(word, "screen")) {
		print_screen();
	} else if (is_word(word, "cpuid")) {
		print_registers(0, "bdc");
		print_registers(VPMU_LEAF, "bcd");
	} else if (is_word(word, "exit")) {
		__asm__ volatile("outl %0, %1"
				 :
				 : "a"((UINT32)number_in(operand)), "Nd"((UINT16)DEBUG_EXIT));
	} else if (is_word(word, "reset") || is_word(word, "off")) {
		st->RuntimeServices->ResetSystem(*word == 'r' ? EfiResetCold : EfiResetShutdown, 0,
						 0, NULL);
	} else if (is_word(word, "error")) {
		*status = EFIERR(number_in(operand));
		return 1;
	} else if (*word >= '0' && *word <= '9') {
		*status = number_in(word);
		return 1;
	}
	return 0;
}

EFI_STATUS efi_main(EFI_HANDLE image, EFI_SYSTEM_TABLE *table)
{
	EFI_GUID guid = EFI_LOADED_IMAGE_PROTOCOL_GUID;
	CHAR16 word[WORD_UNITS], operand[WORD_UNITS];
	EFI_STATUS status = EFI_SUCCESS;
	EFI_LOADED_IMAGE *self;
	const CHAR16 *text;

	st = table;
	if (st->BootServices->HandleProtocol(image, &guid, (void **)&self))
		return EFI_LOAD_ERROR;
	text = next_word(self->LoadOptions, word);
	while (*word) {
		next_word(text, operand);
		if (do_word(word, operand, &status))
			return status;
		text = next_word(text, word);
	}
	return status;
}
