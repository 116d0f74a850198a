// SPDX-License-Identifier: BSD-2-Clause
/* demangle.c - see demangle.h. libstdc++ has the one demangler that every system with C++ programs
 * has; it is looked for when a name wants it. */
#include "tools/util/demangle.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef char *demangle_fn(const char *name, char *to, size_t *size, int *status);

static demangle_fn *find_demangler(void)
{
	static bool looked;
	static demangle_fn *found;
	void *library = looked ? NULL : dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_LOCAL);
	void *symbol = library ? dlsym(library, "__cxa_demangle") : NULL;

	looked = true;
	if (symbol)
		memcpy(&found, &symbol, sizeof(found));
	return found;
}

const char *demangle(const char *name)
{
	static char *last;
	int status = -1;
	char *text;

	if (strncmp(name, "_Z", 2) || !find_demangler())
		return name;
	text = find_demangler()(name, NULL, NULL, &status);
	if (!text || status)
		return name;
	free(last);
	last = text;
	return text;
}
