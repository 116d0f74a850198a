// SPDX-License-Identifier: BSD-2-Clause
/*
 * core-coverage CORE FILE...: the share of the instructions of ELF files whose form has a row on a
 * core.
 *
 * A linear sweep over the code sections. Prints a line for each file, then the forms without a row,
 * the most frequent ones first. The status is 1 if a share is below 99.9 %.
 */
#include <err.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "vpmu/model/cores/core_key.h"
#include "vpmu/model/cores/core_tables.h"

#define FORMS_MAX 4096

struct missing_form {
	uint32_t key;
	unsigned long count;
	char text[96];
};

static struct missing_form missing[FORMS_MAX];
static unsigned nmissing;
static const struct core_table *core;
static ZydisDecoder decoder;
static ZydisFormatter formatter;

static struct missing_form *missing_form_of(uint32_t key)
{
	for (unsigned i = 0; i < nmissing; i++)
		if (missing[i].key == key)
			return &missing[i];
	if (nmissing == FORMS_MAX)
		errx(2, "more than %d forms have no row", FORMS_MAX);
	missing[nmissing].key = key;
	return &missing[nmissing++];
}

static void note_missing(uint32_t key, const ZydisDecodedInstruction *insn,
			 const ZydisDecodedOperand *operands)
{
	struct missing_form *form = missing_form_of(key);

	if (!form->count++)
		ZydisFormatterFormatInstruction(&formatter, insn, operands,
						insn->operand_count_visible, form->text,
						sizeof(form->text), 0, NULL);
}

struct coverage {
	unsigned long covered, all;
};

static void sweep(const Elf_Data *code, struct coverage *coverage)
{
	for (size_t at = 0; at < code->d_size;) {
		ZydisDecodedInstruction insn;
		ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
		const uint8_t *bytes = (const uint8_t *)code->d_buf + at;

		if (ZYAN_FAILED(ZydisDecoderDecodeFull(&decoder, bytes, code->d_size - at, &insn,
						       operands))) {
			at++;
			continue;
		}
		const uint32_t key = core_key(&insn, operands);

		if (core_row(core, key))
			coverage->covered++;
		else
			note_missing(key, &insn, operands);
		coverage->all++;
		at += insn.length;
	}
}

static bool covers(const char *path)
{
	struct coverage coverage = {0, 0};
	const int fd = open(path, O_RDONLY);
	Elf *elf = fd < 0 ? NULL : elf_begin(fd, ELF_C_READ_MMAP, NULL);

	if (!elf)
		errx(2, "%s: cannot be read", path);
	for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
		GElf_Shdr header;

		if (gelf_getshdr(section, &header) && header.sh_flags & SHF_EXECINSTR &&
		    header.sh_type == SHT_PROGBITS)
			sweep(elf_getdata(section, NULL), &coverage);
	}
	elf_end(elf);
	close(fd);
	printf("%s %s: %lu of %lu, %.4f %%\n", core->name, path, coverage.covered, coverage.all,
	       coverage.all ? 100. * coverage.covered / coverage.all : 0);
	return coverage.covered * 1000 >= coverage.all * 999 && coverage.all;
}

static int most_frequent_first(const void *a, const void *b)
{
	const struct missing_form *x = a, *y = b;

	return (x->count < y->count) - (x->count > y->count);
}

int main(int argc, char **argv)
{
	bool all = true;

	if (argc < 3 || !(core = core_table(argv[1])))
		errx(2, "usage: core-coverage CORE FILE...");
	elf_version(EV_CURRENT);
	ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
	ZydisFormatterInit(&formatter, ZYDIS_FORMATTER_STYLE_INTEL);
	for (int i = 2; i < argc; i++)
		all &= covers(argv[i]);
	qsort(missing, nmissing, sizeof(missing[0]), most_frequent_first);
	for (unsigned i = 0; i < nmissing; i++)
		printf("%8lu  0x%08x  %s\n", missing[i].count, missing[i].key, missing[i].text);
	return !all;
}
