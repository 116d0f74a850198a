// SPDX-License-Identifier: BSD-2-Clause
/* modules.c - see modules.h. */
#include "tools/guest/modules.h"

#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/machine/counting.h"
#include "tools/util/child.h"
#include "tools/util/ending.h"
#include "tools/util/memory.h"
#include "tools/util/wholefile.h"

#define MODULE_NAME_MOST 64
#define PMUS             "/arch/x86/events/" /* folder of perf's modules in a kernel's tree */

struct module {
	char name[MODULE_NAME_MOST]; /* with _ instead of - */
	char *path;
	bool is_pmu, is_packed;
};

struct modules {
	struct module *module;
	size_t n;
	struct tree *tree;
	struct buf *order;
};

static const struct packing_kind {
	const char *ending;
	const char *words[3]; /* command that unpacks to its standard output; NULL: none */
} packing_kinds[] = {
	{".ko", {NULL}},
	{".ko.xz", {"xz", "-dc"}},
	{".ko.zst", {"zstd", "-dcq"}},
	{".ko.gz", {"gzip", "-dc"}},
};

static const struct packing_kind *packing_kind_of(const char *path)
{
	for (size_t i = 0; i < sizeof(packing_kinds) / sizeof(packing_kinds[0]); i++)
		if (ends_in(path, packing_kinds[i].ending))
			return &packing_kinds[i];
	return NULL;
}

/* --- Finding modules --- */

bool modules_find(char folder[PATH_MAX], const char *kernel, const char *version)
{
	static const char *const places[] = {"../lib/modules/", "lib/modules/",
					     "modules/lib/modules/"};
	const char *slash = strrchr(kernel, '/');
	const int n = slash ? (int)(slash + 1 - kernel) : 0;

	if (!*version)
		return false;
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++)
		if (snprintf(folder, PATH_MAX, "%.*s%s%s", n, kernel, places[i], version) <
			    PATH_MAX &&
		    !access(folder, R_OK | X_OK))
			return true;
	return snprintf(folder, PATH_MAX, "/lib/modules/%s", version) < PATH_MAX &&
	       !access(folder, R_OK | X_OK);
}

/* Makes a module's name from a file's name: "intel-uncore.ko.xz" is intel_uncore. */
static void name_module(char name[MODULE_NAME_MOST], const char *file)
{
	snprintf(name, MODULE_NAME_MOST, "%.*s", (int)strcspn(file, "."), file);
	for (char *c = name; *c; c++)
		if (*c == '-')
			*c = '_';
}

static void note_module(struct modules *m, const FTSENT *entry)
{
	struct module *module;

	if (entry->fts_info != FTS_F || !packing_kind_of(entry->fts_name))
		return;
	m->module = memory_grow(m->module, m->n, sizeof(*m->module));
	module = &m->module[m->n++];
	name_module(module->name, entry->fts_name);
	module->path = copy_text(entry->fts_path, strlen(entry->fts_path));
	module->is_pmu = strstr(entry->fts_path, PMUS);
}

static int by_name(const FTSENT **a, const FTSENT **b)
{
	return strcmp((*a)->fts_name, (*b)->fts_name);
}

static int list_modules(struct modules *m, const char *folder, struct reason *why)
{
	char *const roots[] = {(char *)folder, NULL};
	FTSENT *entry;
	FTS *walk;

	if (access(folder, R_OK | X_OK))
		return refuse(why, errno, "%s: %s", folder, strerror(errno));
	walk = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, by_name);
	if (!walk)
		return refuse(why, errno, "%s: %s", folder, strerror(errno));
	while ((entry = fts_read(walk)))
		note_module(m, entry);
	fts_close(walk);
	return m->n ? 0 : refuse(why, ENOENT, "%s: there is no module in it", folder);
}

static struct module *find_module(struct modules *m, const char *name)
{
	for (size_t i = 0; i < m->n; i++)
		if (!strcmp(m->module[i].name, name))
			return &m->module[i];
	return NULL;
}

/* --- Contents of a module --- */

static int read_module(const char *path, struct buf *bytes, struct reason *why)
{
	const struct packing_kind *kind = packing_kind_of(path);
	char program[PATH_MAX];
	char *const words[] = {program, (char *)kind->words[1], (char *)path, NULL};
	int status;

	if (!kind->words[0])
		return whole_file_read(bytes, path, SIZE_MAX, why);
	if (!counting_find_program(program, kind->words[0]))
		return refuse(why, ENOENT, "%s: it takes %s to unpack it, which is not installed",
			      path, kind->words[0]);
	status = child_output(words, environ, bytes, why);
	if (status > 0)
		return refuse(why, EIO, "%s: %s could not unpack it", path, kind->words[0]);
	return status;
}

/* Returns the texts "name=value" of section .modinfo; NULL: no such section. */
static Elf_Data *module_info(Elf *elf)
{
	size_t names;
	GElf_Shdr h;

	if (elf_getshdrstrndx(elf, &names))
		return NULL;
	for (Elf_Scn *s = elf_nextscn(elf, NULL); s; s = elf_nextscn(elf, s)) {
		const char *name = gelf_getshdr(s, &h) ? elf_strptr(elf, names, h.sh_name) : NULL;

		if (name && !strcmp(name, ".modinfo"))
			return elf_getdata(s, NULL);
	}
	return NULL;
}

/* Returns the value of `depends=`, allocated; "": the module needs no other. */
static char *module_depends(struct buf *bytes)
{
	static const char key[] = "depends=";
	char *depends = NULL;
	Elf_Data *info;
	Elf *elf;

	elf_version(EV_CURRENT);
	elf = elf_memory((char *)bytes->data, bytes->size);
	info = elf ? module_info(elf) : NULL;
	for (size_t at = 0; info && !depends && at < info->d_size;) {
		const char *text = (const char *)info->d_buf + at;
		const size_t n = strnlen(text, info->d_size - at);

		if (n >= sizeof(key) - 1 && !memcmp(text, key, sizeof(key) - 1))
			depends = copy_text(text + sizeof(key) - 1, n - (sizeof(key) - 1));
		at += n + 1;
	}
	elf_end(elf);
	return depends ? depends : copy_text("", 0);
}

/* --- Adding to the tree --- */

static int pack_module(struct modules *m, const char *name, struct reason *why);

static int pack_depends(struct modules *m, char *depends, struct reason *why)
{
	char *name;
	int err = 0;

	while (!err && (name = strsep(&depends, ",")))
		err = *name ? pack_module(m, name, why) : 0;
	return err;
}

static int pack_module(struct modules *m, const char *name, struct reason *why)
{
	char plain[MODULE_NAME_MOST], path[sizeof(MODULES_GUEST) + MODULE_NAME_MOST + 8];
	struct buf bytes = {0};
	struct module *module;
	char *depends;
	int err;

	name_module(plain, name);
	module = find_module(m, plain);
	if (!module || module->is_packed)
		return 0;
	module->is_packed = true;
	err = read_module(module->path, &bytes, why);
	if (!err) {
		depends = module_depends(&bytes);
		err = pack_depends(m, depends, why);
		free(depends);
	}
	if (!err) {
		snprintf(path, sizeof(path), MODULES_GUEST "/%s.ko", plain);
		buf_printf(m->order, "%s\n", plain);
		err = tree_content(m->tree, path, &bytes, why);
	}
	buf_free(&bytes);
	return err;
}

static int pack_named(struct modules *m, const char *const *names, struct reason *why)
{
	int err = 0;

	while (*names && !err)
		err = pack_module(m, *names++, why);
	return err;
}

static int pack_wanted(struct modules *m, bool share, struct reason *why)
{
	/* programs use these to access the PMU's registers without a driver */
	static const char *const of_registers[] = {"msr", "cpuid", NULL};
	static const char *const of_share[] = {"virtio_pci", "9pnet_virtio", "9p", NULL};
	int err = 0;

	for (size_t i = 0; i < m->n && !err; i++)
		if (m->module[i].is_pmu)
			err = pack_module(m, m->module[i].name, why);
	if (!err)
		err = pack_named(m, of_registers, why);
	return err || !share ? err : pack_named(m, of_share, why);
}

int modules_pack(struct tree *tree, const char *folder, bool share, struct buf *order,
		 struct reason *why)
{
	struct modules m = {.tree = tree, .order = order};
	int err = list_modules(&m, folder, why);

	if (!err)
		err = pack_wanted(&m, share, why);
	for (size_t i = 0; i < m.n; i++)
		free(m.module[i].path);
	free(m.module);
	return err;
}
