// SPDX-License-Identifier: BSD-2-Clause
/*
 * counting.c - see counting.h. A QEMU that takes plugins has the functions for plugins among its
 * dynamic symbols.
 */
#include "tools/machine/counting.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "include/perf0/events_page.h"
#include "tools/machine/qemu_version.h"
#include "tools/util/artifact.h"
#include "tools/util/child.h"

#define NO_PLUGIN       "perf0-none" /* no plugin has this name */
#define PLUGIN_ENTRY    "qemu_plugin_install"
#define PLUGIN_FUNCTION "qemu_plugin_register_vcpu_tb_trans_cb"

bool counting_find_program(char path[PATH_MAX], const char *name)
{
	const char *folders = getenv("PATH");

	if (strchr(name, '/') || !folders) {
		snprintf(path, PATH_MAX, "%s", name);
		return !access(path, X_OK);
	}
	while (*folders) {
		const int n = (int)strcspn(folders, ":");

		snprintf(path, PATH_MAX, "%.*s/%s", n, n ? folders : ".", name);
		if (!access(path, X_OK))
			return true;
		folders += n + (folders[n] == ':');
	}
	return false;
}

/* --- Support of plugins in a QEMU --- */

static bool has_symbol(Elf *elf, Elf_Scn *section, const GElf_Shdr *h, const char *name)
{
	Elf_Data *data = elf_getdata(section, NULL);
	GElf_Sym symbol;

	for (int i = 0; data && gelf_getsym(data, i, &symbol); i++) {
		const char *text = elf_strptr(elf, h->sh_link, symbol.st_name);

		if (text && symbol.st_shndx != SHN_UNDEF && !strcmp(text, name))
			return true;
	}
	return false;
}

static bool exports(Elf *elf, const char *name)
{
	GElf_Shdr h;

	for (Elf_Scn *s = elf_nextscn(elf, NULL); s; s = elf_nextscn(elf, s))
		if (gelf_getshdr(s, &h) && h.sh_type == SHT_DYNSYM && has_symbol(elf, s, &h, name))
			return true;
	return false;
}

/*
 * Tests by running QEMU whether it accepts plugins, because the path may be a script. A QEMU
 * without plugins does not know the option.
 */
static bool tries_to_load(char *path)
{
	static char option[] = "-plugin", plugin[] = NO_PLUGIN;
	char *words[] = {path, option, plugin, NULL};
	struct buf said = {0};
	struct reason ignored;
	bool tries;

	child_output(words, environ, &said, &ignored);
	tries = strstr(buf_text(&said), NO_PLUGIN ".so");
	buf_free(&said);
	return tries;
}

static bool takes_plugins(char *path, int fd)
{
	bool takes;
	Elf *elf;

	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	takes = elf_kind(elf) == ELF_K_ELF ? exports(elf, PLUGIN_FUNCTION) : tries_to_load(path);
	elf_end(elf);
	return takes;
}

static int check_qemu(const char *name, struct reason *why)
{
	char path[PATH_MAX];
	bool takes;
	int fd;

	if (qemu_find(path, name, why))
		return -ENOENT;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return refuse(why, errno, "%s: %s", path, strerror(errno));
	takes = takes_plugins(path, fd);
	close(fd);
	if (!takes)
		return refuse(why, ENOTSUP, "%s takes no plugins", path);
	/* There, all callbacks have other arguments. */
	if (qemu_is_since(name, 11, 1))
		return refuse(why, ENOTSUP,
			      "QEMU 11.1 and later have another interface for plugins (API 7)");
	return 0;
}

/* Checks the plugin's libraries. QEMU does not start if one is missing. */
static int check_plugin(const char *path, struct reason *why)
{
	void *plugin = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
	bool is_one;

	if (!plugin)
		return refuse(why, ENOENT, "%s", dlerror());
	is_one = dlsym(plugin, PLUGIN_ENTRY);
	dlclose(plugin);
	return is_one ? 0 : refuse(why, ENOEXEC, "%s: no plugin of QEMU's", path);
}

/* --- The memory --- */

/* QEMU inherits the descriptor. */
static int create_page(struct counting *counting, struct reason *why)
{
	counting->fd = memfd_create("perf0-events", 0);
	if (counting->fd < 0)
		return refuse(why, errno, "no memory to share with QEMU: %s", strerror(errno));
	return counting_reset(counting, why);
}

int counting_reset(const struct counting *counting, struct reason *why)
{
	if (counting->fd >= 0 &&
	    (ftruncate(counting->fd, 0) || ftruncate(counting->fd, EVENTS_PAGE_BYTES)))
		return refuse(why, errno, "no memory to share with QEMU: %s", strerror(errno));
	return 0;
}

bool counting_is_exact(const struct machine_options *o)
{
	return o->has_vpmu && o->accel == ACCEL_TCG && o->vpmu.events != EVENTS_RATIOS;
}

/*
 * Returns whether QEMU runs several iterations at once. With -icount each iteration is an
 * instruction in all versions.
 */
static bool does_loop(const struct machine_options *o)
{
	return counting_is_exact(o) && o->clock == CLOCK_HOST && qemu_is_since(o->qemu, 10, 0);
}

/* QEMU 7.2 may call a callback that it freed when translations were forgotten while several CPUs
 * run (qemu_plugin_vcpu_mem_cb). So they are forgotten once, when there are none. */
static bool keeps_freed_callbacks(const struct machine_options *options)
{
	return options->smp > 1 && !qemu_is_since(options->qemu, 8, 2);
}

int counting_begin(struct counting *counting, const struct machine_options *options,
		   struct reason *why)
{
	int err;

	*counting = (struct counting){.fd = -1,
				      .models = options->vpmu.events == EVENTS_MODEL,
				      .prefetches = options->vpmu.prefetch,
				      .loops = does_loop(options),
				      .profile = options->profile,
				      .one_level = keeps_freed_callbacks(options)};
	if (!counting_is_exact(options))
		return 0;
	err = artifact_path(counting->plugin, sizeof(counting->plugin), ARTIFACT_PLUGIN, why);
	if (!err)
		err = check_qemu(options->qemu, why);
	if (!err)
		err = check_plugin(counting->plugin, why);
	if (!err)
		err = create_page(counting, why);
	if (err)
		counting_end(counting);
	return err;
}

void counting_end(struct counting *counting)
{
	if (counting->fd >= 0)
		close(counting->fd);
	counting->fd = -1;
}

int counting_check(const struct machine_options *options, struct reason *why)
{
	struct counting counting;
	const int err = counting_begin(&counting, options, why);

	counting_end(&counting);
	return err;
}
