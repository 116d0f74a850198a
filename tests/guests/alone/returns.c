// SPDX-License-Identifier: BSD-2-Clause
/*
 * returns.c - a program of UEFI that does what its load options say, word by word:
 *
 *	say WORD    prints WORD to the firmware's console, with a character that is not ASCII
 *	line WORD   writes WORD to the first serial line
 *	key         waits for a key, and prints it
 *	screen      prints how many pixels the first screen has
 *	cpuid       prints the vendor of the CPU, and whether it is under vpmu
 *	clock       prints the TSC
 *	files       prints names, sizes and first two bytes of its volume's files; tries to write
 *	exit N      ends by QEMU's isa-debug-exit
 *	reset, off  ends the machine
 *	error N     returns EFI's error N
 *	N           returns the number N
 */
#include <efi.h>

#define COM1       0x3f8
#define DEBUG_EXIT 0xf4
#define VPMU_LEAF  0x4fff0000u
#define WORD_UNITS 64

#define INFO_BYTES 512

static EFI_SYSTEM_TABLE *st;
static EFI_HANDLE own_volume;

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

static void print_number(UINT64 n)
{
	CHAR16 digits[21] = {0}, *at = digits + 20;

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

static void print_clock(void)
{
	UINT32 low, high;

	__asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
	print_number((UINT64)high << 32 | low);
	print((const CHAR16 *)L"\r\n");
}

static void print_file(EFI_FILE_HANDLE folder, CHAR16 *name)
{
	CHAR16 text[3] = {0};
	EFI_FILE_HANDLE file;
	UINTN bytes = 2;
	UINT64 end;
	char begin[2];

	if (folder->Open(folder, &file, name, EFI_FILE_MODE_READ, 0) ||
	    file->Read(file, &bytes, begin) || file->SetPosition(file, (UINT64)-1) ||
	    file->GetPosition(file, &end)) {
		print((const CHAR16 *)L"can not be read\r\n");
		return;
	}
	text[0] = (CHAR16)begin[0];
	text[1] = (CHAR16)begin[1];
	print(name);
	print((const CHAR16 *)L" ");
	print_number(end);
	print((const CHAR16 *)L" ");
	print(text);
	print((const CHAR16 *)L"\r\n");
	file->Close(file);
}

static void print_files(void)
{
	EFI_GUID guid = EFI_SIMPLE_FILE_SYSTEM_PROTOCOL_GUID;
	EFI_SIMPLE_FILE_SYSTEM_PROTOCOL *volume;
	EFI_FILE_HANDLE folder, file;
	union {
		EFI_FILE_INFO is;
		char bytes[INFO_BYTES];
	} info;
	UINTN bytes = sizeof(info);

	if (st->BootServices->HandleProtocol(own_volume, &guid, (void **)&volume) ||
	    volume->OpenVolume(volume, &folder)) {
		print((const CHAR16 *)L"no volume\r\n");
		return;
	}
	for (; !folder->Read(folder, &bytes, &info) && bytes; bytes = sizeof(info))
		print_file(folder, info.is.FileName);
	if (folder->Open(folder, &file, (CHAR16 *)L"NEW",
			 EFI_FILE_MODE_READ | EFI_FILE_MODE_WRITE | EFI_FILE_MODE_CREATE,
			 0) == EFI_WRITE_PROTECTED)
		print((const CHAR16 *)L"read only\r\n");
	folder->Close(folder);
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
	} else if (is_word(word, "clock")) {
		print_clock();
	} else if (is_word(word, "files")) {
		print_files();
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
	own_volume = self->DeviceHandle;
	text = next_word(self->LoadOptions, word);
	while (*word) {
		next_word(text, operand);
		if (do_word(word, operand, &status))
			return status;
		text = next_word(text, word);
	}
	return status;
}
