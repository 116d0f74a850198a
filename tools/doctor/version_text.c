// SPDX-License-Identifier: BSD-2-Clause
/* version_text.c - see version_text.h. */
#include "tools/doctor/version_text.h"

#include <dlfcn.h>
#include <perfmon/pfmlib.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "build/gen/build_info.h"
#include "include/perf0/formats.h"
#include "lib/plain.h"
#include "tools/machine/qemu_args.h"
#include "tools/machine/qemu_version.h"

#define SAYS "version "

/* Folders whose paths name no user. */
static const char *const public_folders[] = {"/usr/bin/",       "/usr/lib/",   "/usr/libexec/",
					     "/usr/local/bin/", "/usr/share/", "/bin/"};

void version_add_path(struct buf *out, const char *path, bool is_private)
{
	bool is_public = !is_private;

	for (size_t i = 0; i < sizeof(public_folders) / sizeof(public_folders[0]); i++)
		is_public |= !strncmp(path, public_folders[i], strlen(public_folders[i]));
	buf_printf(out, "%s", is_public ? path : "in a folder that is not told");
}

bool version_of_qemu(struct buf *out, const char *path)
{
	struct buf said = {0};
	const char *version = NULL;

	if (qemu_says(&said, path, "--version", NULL))
		version = strstr(buf_text(&said), SAYS);
	if (version)
		buf_printf(out, "%.*s", (int)strcspn(version + strlen(SAYS), "\n"),
			   version + strlen(SAYS));
	buf_free(&said);
	return version;
}

/* The library tells its major version alone; the name of its file has all of it. */
void version_of_libpfm(struct buf *out)
{
	char file[PATH_MAX];
	const char *of_file = NULL;
	Dl_info library;

	if (dladdr((void *)(uintptr_t)pfm_get_version, &library) &&
	    realpath(library.dli_fname, file))
		of_file = strstr(file, ".so.");
	if (of_file)
		buf_printf(out, "%s", of_file + strlen(".so."));
	else
		buf_printf(out, "%d", PFM_MAJ_VERSION(pfm_get_version()));
}

/* Prints a line, and empties its text. */
static void put_fact(const char *title, struct buf *text)
{
	printf("  %-12s %s\n", title, PLAIN(buf_text(text)));
	buf_free(text);
}

static void add_qemu(struct buf *out, const char *name, bool is_private)
{
	char path[PATH_MAX];
	struct reason why;

	if (qemu_find(path, name, &why)) {
		buf_printf(out, "none%s%s", is_private ? "" : ": ", is_private ? "" : why.text);
		return;
	}
	if (!version_of_qemu(out, path))
		buf_printf(out, "of a version that it does not tell");
	buf_printf(out, ", ");
	version_add_path(out, path, is_private);
}

static void add_formats(struct buf *out)
{
	static const struct {
		const char *name;
		unsigned version;
	} formats[] = {
#define FORMAT(of_name, of_version) {of_name, of_version},
		FORMAT_ROWS(FORMAT)
#undef FORMAT
	};

	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
		buf_printf(out, "%s%s %u", i ? ", " : "", formats[i].name, formats[i].version);
}

void version_put(const char *qemu, bool is_private)
{
	const struct firmware *firmware;
	struct buf text = {0};
	struct reason why;

	buf_printf(&text, "%s", *BUILD_COMMIT ? BUILD_COMMIT : "not known");
	put_fact("commit", &text);
	buf_printf(&text, "%s by gcc %s", *BUILD_TIME ? BUILD_TIME : "at a time that is not known",
		   __VERSION__);
	put_fact("built", &text);
	add_qemu(&text, qemu, is_private);
	put_fact("QEMU", &text);
	firmware = firmware_find(&why);
	buf_printf(&text, "%s", firmware ? firmware->code : why.text);
	put_fact("firmware", &text);
	version_of_libpfm(&text);
	put_fact("libpfm4", &text);
	buf_printf(&text, "%d (QEMU 7.2) or %d (from 9.0 on)", PLUGIN_API_PLAIN,
		   PLUGIN_API_PER_VCPU);
	put_fact("plugin API", &text);
	add_formats(&text);
	put_fact("formats", &text);
}
