// SPDX-License-Identifier: BSD-2-Clause
/* forms.c - see forms.h. */
#include "tools/bench/forms.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <Zydis/Zydis.h>

static const struct {
	const char *name;
	enum form_what what;
	enum form_file file;
	unsigned bits;
	const char *literal; /* text of a literal; NULL: not a literal */
} kinds[] = {
	{"R8", FORM_REGISTER, FILE_GENERAL, 8, NULL},
	{"R8L", FORM_REGISTER, FILE_GENERAL, 8, NULL},
	{"R16", FORM_REGISTER, FILE_GENERAL, 16, NULL},
	{"R32", FORM_REGISTER, FILE_GENERAL, 32, NULL},
	{"R64", FORM_REGISTER, FILE_GENERAL, 64, NULL},
	{"MM", FORM_REGISTER, FILE_MMX, 64, NULL},
	{"XMM", FORM_REGISTER, FILE_VECTOR, 128, NULL},
	{"YMM", FORM_REGISTER, FILE_VECTOR, 256, NULL},
	{"ZMM", FORM_REGISTER, FILE_VECTOR, 512, NULL},
	{"K", FORM_REGISTER, FILE_MASK, 64, NULL},
	{"M", FORM_MEMORY, 0, 0, NULL},
	{"M8", FORM_MEMORY, 0, 8, NULL},
	{"M16", FORM_MEMORY, 0, 16, NULL},
	{"M32", FORM_MEMORY, 0, 32, NULL},
	{"M64", FORM_MEMORY, 0, 64, NULL},
	{"M128", FORM_MEMORY, 0, 128, NULL},
	{"M256", FORM_MEMORY, 0, 256, NULL},
	{"M512", FORM_MEMORY, 0, 512, NULL},
	{"I8", FORM_LITERAL, 0, 8, "2"},
	{"I16", FORM_LITERAL, 0, 16, "0x1002"},
	{"I32", FORM_LITERAL, 0, 32, "0x10000002"},
	{"I64", FORM_LITERAL, 0, 64, "0x1000000000000002"},
};

#define NKINDS    (sizeof(kinds) / sizeof(kinds[0]))
#define ALL_KINDS "R8, R16, R32, R64, MM, XMM, YMM, ZMM, K, M, M8 to M512, I8, I16, I32, I64"

static const char *const prefixes[] = {"lock", "rep", "repe", "repz", "repne", "repnz"};

/* Mnemonics with these beginnings take a vector of addresses (VSIB). */
static const char *const of_vsib[] = {"vgather", "vpgather", "vscatter", "vpscatter"};

static const char *const candidates[] = {
	"R64, R64",       "R32, R32",      "R64",           "R64, M64",          "R64, I8",
	"M64, R64",       "R64, R64, R64", "R64, R64, I8",  "XMM, XMM",          "XMM, M128",
	"XMM, XMM, I8",   "XMM, XMM, XMM", "YMM, YMM, YMM", "YMM, YMM",          "YMM, M256",
	"YMM, YMM, M256", "R64, XMM",      "XMM, R64",      "XMM, XMM, XMM, I8", "MM, MM",
};

const char *form_candidate(unsigned i)
{
	return i < sizeof(candidates) / sizeof(candidates[0]) ? candidates[i] : NULL;
}

int form_refuse(const struct form *form, size_t column, const char *what, struct reason *why)
{
	if (form->place)
		return refuse(why, EINVAL, "%s:%zu: %s", form->place, column, what);
	return refuse(why, EINVAL, "'%s': column %zu: %s", form->text, column, what);
}

/* --- Reading --- */

static bool is_prefix(const char *word, size_t n)
{
	for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++)
		if (strlen(prefixes[i]) == n && !strncasecmp(prefixes[i], word, n))
			return true;
	return n && word[0] == '{';
}

static bool is_register_name(const char *word, size_t n)
{
	for (int r = ZYDIS_REGISTER_NONE + 1; r <= ZYDIS_REGISTER_MAX_VALUE; r++) {
		const char *name = ZydisRegisterGetString((ZydisRegister)r);

		if (name && strlen(name) == n && !strncasecmp(name, word, n))
			return true;
	}
	return false;
}

static bool takes_vsib(const char *mnemonic)
{
	for (size_t i = 0; i < sizeof(of_vsib) / sizeof(of_vsib[0]); i++)
		if (!strncasecmp(of_vsib[i], mnemonic, strlen(of_vsib[i])))
			return true;
	return false;
}

static size_t trimmed(const char **at, size_t n)
{
	while (n && isspace((unsigned char)**at)) {
		(*at)++;
		n--;
	}
	while (n && isspace((unsigned char)(*at)[n - 1]))
		n--;
	return n;
}

/* A name that is neither a kind nor a register would become a symbol of the assembler. */
static bool is_foreign_name(const char *at, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!isalnum((unsigned char)at[i]) && at[i] != '_')
			return false;
	return n && !isdigit((unsigned char)at[0]) && !is_register_name(at, n);
}

static int read_operand(struct form *f, const char *at, size_t n, size_t column, struct reason *why)
{
	struct form_operand *o = &f->operand[f->n];
	struct buf text = {0};

	if (!n)
		return form_refuse(f, column, "an operand is missing", why);
	for (size_t i = 0; i < NKINDS; i++)
		if (strlen(kinds[i].name) == n && !strncasecmp(kinds[i].name, at, n)) {
			*o = (struct form_operand){.what = kinds[i].what,
						   .file = kinds[i].file,
						   .bits = kinds[i].bits,
						   .kind = kinds[i].name};
			if (kinds[i].literal)
				o->text = copy_text(kinds[i].literal, strlen(kinds[i].literal));
			f->n++;
			return 0;
		}
	if (is_foreign_name(at, n)) {
		buf_printf(&text, "'%.*s' is neither a register nor a kind of operand: " ALL_KINDS,
			   (int)n, at);
		form_refuse(f, column, buf_text(&text), why);
		buf_free(&text);
		return -EINVAL;
	}
	*o = (struct form_operand){.what = FORM_LITERAL, .text = copy_text(at, n)};
	f->n++;
	return 0;
}

/* An operand ends at a comma outside of brackets. */
static size_t operand_length(const char *at, size_t n)
{
	size_t i = 0, depth = 0;

	for (; i < n && (depth || at[i] != ','); i++)
		depth = at[i] == '[' ? depth + 1 : at[i] == ']' && depth ? depth - 1 : depth;
	return i;
}

static int read_operands(struct form *f, const char *line, const char *at, size_t n,
			 struct reason *why)
{
	const char *end = at + n;
	int err = 0;

	while (at <= end && !err) {
		const char *begin = at;
		size_t all = operand_length(at, (size_t)(end - at));
		const size_t length = trimmed(&begin, all);

		if (f->n == FORM_OPERANDS)
			return form_refuse(f, f->column + (size_t)(begin - line),
					   "more operands than four", why);
		err = read_operand(f, begin, length, f->column + (size_t)(begin - line), why);
		at += all + 1;
	}
	return err;
}

/* Returns the length of the mnemonic with its prefixes. */
static size_t mnemonic_length(const char *at, size_t n)
{
	size_t i = 0;

	for (;;) {
		const size_t begin = i;

		while (i < n && !isspace((unsigned char)at[i]) && at[i] != '(')
			i++;
		if (!is_prefix(at + begin, i - begin))
			return i;
		while (i < n && isspace((unsigned char)at[i]))
			i++;
		if (i == n)
			return i;
	}
}

/* Makes a name such as "IMUL (R64, R64)". */
static char *make_name(const struct form *f)
{
	struct buf name = {0};

	for (const char *at = f->mnemonic; *at; at++)
		buf_printf(&name, "%c", toupper((unsigned char)*at));
	for (unsigned i = 0; i < f->n; i++) {
		const struct form_operand *o = &f->operand[i];

		buf_printf(&name, "%s", i ? ", " : " (");
		for (const char *at = o->kind ? o->kind : o->text; *at; at++)
			buf_printf(&name, "%c", toupper((unsigned char)*at));
	}
	buf_printf(&name, "%s", f->n ? ")" : "");
	buf_text(&name);
	return (char *)name.data;
}

static int read_rest(struct form *f, const char *line, const char *at, size_t n, struct reason *why)
{
	const bool brackets = n && *at == '(';

	if (brackets && at[n - 1] != ')')
		return form_refuse(f, f->column + (size_t)(at - line), "its ) is missing", why);
	if (brackets) {
		at++;
		n -= 2;
	}
	f->bare = !n && !brackets;
	return n ? read_operands(f, line, at, n, why) : 0;
}

int form_read(struct form *form, const char *text, size_t n, const char *place, size_t column,
	      struct reason *why)
{
	const char *at = text, *rest;
	size_t length, left;
	int err;

	*form = (struct form){.place = place ? copy_text(place, strlen(place)) : NULL,
			      .text = copy_text(text, n)};
	n = trimmed(&at, n);
	form->column = column + (size_t)(at - text);
	for (size_t i = 0; i < n; i++)
		if (at[i] == ';' || at[i] == '\n' || at[i] == '"' || at[i] == '#')
			return form_refuse(form, form->column + i, "one instruction at a time",
					   why);
	length = mnemonic_length(at, n);
	if (!length)
		return form_refuse(form, form->column, "an instruction is missing", why);
	form->mnemonic = copy_text(at, length);
	if (takes_vsib(form->mnemonic))
		return form_refuse(form, form->column,
				   "a gather or scatter clears its mask, so that a copy behind "
				   "another one accesses nothing: it is not measured",
				   why);
	rest = at + length;
	left = trimmed(&rest, n - length);
	err = read_rest(form, at, rest, left, why);
	if (!err)
		form->name = make_name(form);
	return err;
}

void form_free(struct form *form)
{
	for (unsigned i = 0; i < FORM_OPERANDS; i++)
		free(form->operand[i].text);
	free(form->name);
	free(form->mnemonic);
	free(form->text);
	free(form->place);
	*form = (struct form){0};
}

/* --- Writing --- */

void form_register(struct buf *to, enum form_file file, unsigned bits, unsigned number)
{
	static const char old[8][3] = {"ax", "cx", "dx", "bx", "sp", "bp", "si", "di"};
	static const char low[8][4] = {"al", "cl", "dl", "bl", "spl", "bpl", "sil", "dil"};
	const char *width = bits == 8 ? "b" : bits == 16 ? "w" : bits == 32 ? "d" : "";

	switch (file) {
	case FILE_GENERAL:
		if (number >= 8)
			buf_printf(to, "r%u%s", number, width);
		else if (bits == 8)
			buf_printf(to, "%s", low[number]);
		else
			buf_printf(to, "%s%s",
				   bits == 64   ? "r"
				   : bits == 32 ? "e"
						: "",
				   old[number]);
		break;
	case FILE_VECTOR:
		buf_printf(to, "%cmm%u", bits == 512 ? 'z' : bits == 256 ? 'y' : 'x', number);
		break;
	case FILE_MMX:
		buf_printf(to, "mm%u", number);
		break;
	default:
		buf_printf(to, "k%u", number);
	}
}

static const char *memory_words(unsigned bits)
{
	switch (bits) {
	case 8:
		return "byte ptr ";
	case 16:
		return "word ptr ";
	case 32:
		return "dword ptr ";
	case 64:
		return "qword ptr ";
	case 128:
		return "xmmword ptr ";
	case 256:
		return "ymmword ptr ";
	case 512:
		return "zmmword ptr ";
	default:
		return "";
	}
}

void form_print(struct buf *to, const struct form *form, const struct form_use *use)
{
	buf_printf(to, "%s", form->mnemonic);
	for (unsigned i = 0; i < form->n; i++) {
		const struct form_operand *o = &form->operand[i];

		buf_printf(to, "%s", i ? ", " : " ");
		if (o->what == FORM_LITERAL)
			buf_printf(to, "%s", o->text);
		else if (o->what == FORM_MEMORY)
			buf_printf(to, "%s[%s]", memory_words(o->bits), use->address);
		else
			form_register(to, o->file, o->bits, use->reg[i]);
	}
}
