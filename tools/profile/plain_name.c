// SPDX-License-Identifier: BSD-2-Clause
/* plain_name.c - see plain_name.h. */
#include "tools/profile/plain_name.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#define HASH_DIGITS 16

/* The suffixes of copies; a number follows some of them. */
static const char *const suffixes[] = {".constprop", ".isra", ".part", ".cold", ".llvm",
				       ".lto_priv",  ".lto",  ".warm", ".clone"};

static bool ends_with(const char *name, size_t n, const char *end)
{
	const size_t m = strlen(end);

	return n > m && !memcmp(name + n - m, end, m);
}

/* Returns the length without a number at the end, ".123". */
static size_t without_number(const char *name, size_t n)
{
	size_t i = n;

	while (i && isdigit((unsigned char)name[i - 1]))
		i--;
	return i < n && i > 1 && name[i - 1] == '.' ? i - 1 : n;
}

static size_t without_suffix(const char *name, size_t n)
{
	const size_t bare = without_number(name, n);

	for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++)
		if (ends_with(name, bare, suffixes[i]))
			return bare - strlen(suffixes[i]);
	return n;
}

/* Returns the length without " [clone .part.0]", in which a demangler puts suffixes. */
static size_t without_clone(const char *name, size_t n)
{
	static const char begin[] = " [clone ";

	for (size_t i = n; n && name[n - 1] == ']' && i-- > 0;)
		if (n - i > sizeof(begin) && !memcmp(name + i, begin, sizeof(begin) - 1))
			return i;
	return n;
}

/* Returns the length without "::h0123456789abcdef". */
static size_t without_hash(const char *name, size_t n)
{
	const size_t all = HASH_DIGITS + 3;

	if (n <= all || memcmp(name + n - all, "::h", 3) != 0)
		return n;
	for (size_t i = n - HASH_DIGITS; i < n; i++)
		if (!isxdigit((unsigned char)name[i]) || isupper((unsigned char)name[i]))
			return n;
	return n - all;
}

/* Returns the length without "@@GLIBC_2.34", the version of a symbol. */
static size_t without_version(const char *name, size_t n)
{
	const char *at = memchr(name, '@', n);
	const size_t rest = at ? n - (size_t)(at - name) : 0;

	return rest > 1 && at > name && (at[1] == '@' || isupper((unsigned char)at[1])) ? n - rest
											: n;
}

static size_t without_copies(const char *name, size_t n)
{
	for (size_t before = 0; before != n;) {
		before = n;
		n = without_clone(name, n);
		n = without_suffix(name, n);
		n = without_hash(name, n);
		n = without_version(name, n);
	}
	return n;
}

/* Returns the index of the bracket that the one at the end closes; `n`: there is none. */
static size_t opening(const char *name, size_t n)
{
	unsigned depth = 0;

	for (size_t i = n; i--;) {
		depth += name[i] == ')';
		if (name[i] == '(' && !--depth)
			return i;
	}
	return n;
}

static size_t without_qualifiers(const char *name, size_t n)
{
	static const char *const words[] = {" const", " volatile", " &", " &&", " noexcept"};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (ends_with(name, n, words[i]) && memchr(name, ')', n))
			return without_qualifiers(name, n - strlen(words[i]));
	return n;
}

static size_t without_parameters(const char *name, size_t n)
{
	const size_t bare = without_qualifiers(name, n);
	size_t open;

	if (!bare || name[bare - 1] != ')')
		return n;
	open = opening(name, bare);
	return !open || open == bare || ends_with(name, open, "operator") ||
			       (open > 1 && name[open - 1] == ':')
		       ? n
		       : open;
}

static bool is_operator_at(const char *name, size_t n, size_t i)
{
	static const char word[] = "operator";
	const size_t m = sizeof(word) - 1;

	return n - i > m && !memcmp(name + i, word, m) && !isalnum((unsigned char)name[i + m]) &&
	       name[i + m] != '_';
}

/* Returns where the name begins behind a return type, which the demangler gives for templates. */
static size_t behind_type(const char *name, size_t n)
{
	size_t begin = 0;
	int depth = 0;

	for (size_t i = 0; i < n && !is_operator_at(name, n, i); i++) {
		depth += strchr("<({[", name[i]) != NULL;
		depth -= strchr(">)}]", name[i]) != NULL && !(i && name[i - 1] == '-');
		if (name[i] == ' ' && !depth)
			begin = i + 1;
	}
	return begin;
}

const char *profile_plain_name(struct buf *out, const char *name)
{
	size_t n = without_copies(name, strlen(name)), begin;

	n = without_copies(name, without_parameters(name, n));
	begin = behind_type(name, n);
	out->size = 0;
	buf_add(out, name + begin, n - begin);
	return buf_text(out);
}
