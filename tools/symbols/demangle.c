// SPDX-License-Identifier: BSD-2-Clause
/* demangle.c - see demangle.h. libiberty knows both languages. */
#include "tools/symbols/demangle.h"

#include <libiberty/demangle.h>
#include <setjmp.h>
#include <stdbool.h>
#include <string.h>

#include "tools/util/buf.h"

#define TEXT_MOST 65536 /* bytes; a short name can expand to any length */

typedef int demangle_fn(const char *name, int options, demangle_callbackref take, void *to);

struct demangled {
	struct buf text;
	jmp_buf too_long; /* leaves libiberty before the end of a name */
};

static void add_demangled(const char *piece, size_t n, void *to)
{
	struct demangled *out = to;

	if (n > TEXT_MOST - out->text.size)
		longjmp(out->too_long, 1);
	buf_add(&out->text, piece, n);
}

static bool demangle_by(struct demangled *out, demangle_fn *fn, const char *name)
{
	out->text.size = 0;
	return !setjmp(out->too_long) && fn(name, DMGL_PARAMS | DMGL_ANSI, add_demangled, out);
}

/* Tries Rust first: its old scheme looks like C++'s, except for the hash at the end. */
const char *demangle(const char *name)
{
	static struct demangled out;
	const bool is_rust = !strncmp(name, "_R", 2), is_old = !strncmp(name, "_Z", 2);

	if ((is_rust || is_old) && demangle_by(&out, rust_demangle_callback, name))
		return buf_text(&out.text);
	if (is_old && demangle_by(&out, cplus_demangle_v3_callback, name))
		return buf_text(&out.text);
	return name;
}
