// SPDX-License-Identifier: BSD-2-Clause
/* test_modules.c - the modules of a kernel that a guest gets, and their order. The modules are
 * files with section .modinfo alone. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/test.h"

#include "tools/guest/modules.h"
#include "tests/unit/tools/shell.h"

static char folder[64];

/* Writes a module below the folder that needs those modules; "": none. */
static void make_module(const char *path, const char *depends)
{
	run("mkdir -p $(dirname %s/%s)", folder, path);
	run("printf 'license=GPL\\0depends=%s\\0name=x\\0' >%s/info", depends, folder);
	run("objcopy -I binary -O elf64-x86-64 --rename-section .data=.modinfo %s/info %s/%s",
	    folder, folder, path);
}

FIXTURE(setup)
{
	strcpy(folder, "/tmp/perf0-modules-XXXXXX");
	return !mkdtemp(folder);
}

FIXTURE(teardown)
{
	run("rm -rf %s", folder);
	return 0;
}

static char *pack(const char *below, bool share, struct tree *tree)
{
	struct buf order = {0};
	struct reason why;
	char path[128];

	snprintf(path, sizeof(path), "%s/%s", folder, below);
	if (modules_pack(tree, path, share, &order, &why))
		fail_msg("%s", why.text);
	buf_text(&order);
	return (char *)order.data;
}

static void expect_order(const char *below, bool share, const char *wanted)
{
	struct tree tree = {0};
	char *order = pack(below, share, &tree);

	assert_string_equal(order, wanted);
	for (char *rest = order, *name; (name = strsep(&rest, "\n"));) {
		const struct tree_entry *entry;
		char path[128];

		snprintf(path, sizeof(path), MODULES_GUEST "/%s.ko", name);
		entry = *name ? tree_find(&tree, path) : NULL;
		assert_true(!*name || (entry && !memcmp(entry->content.data, "\177ELF", 4)));
	}
	free(order);
	tree_free(&tree);
}

/* A module's dependencies come first, each once. A module without a file is built in. */
TEST_WITH(test_order, setup, teardown)
{
	make_module("a/kernel/arch/x86/events/intel/intel-uncore.ko", "pci-help,builtin");
	make_module("a/kernel/arch/x86/events/rapl.ko", "pci_help");
	make_module("a/kernel/lib/pci-help.ko", "");
	make_module("a/kernel/arch/x86/kernel/msr.ko", "");
	make_module("a/kernel/fs/9p/9p.ko", "9pnet,netfs");
	make_module("a/kernel/net/9p/9pnet.ko", "");
	make_module("a/kernel/net/9p/9pnet_virtio.ko", "9pnet,virtio");
	make_module("a/kernel/drivers/virtio/virtio.ko", "");
	make_module("a/kernel/drivers/virtio/virtio_pci.ko", "virtio");
	make_module("a/kernel/fs/ext4/ext4.ko", "");
	expect_order("a", false, "pci_help\nintel_uncore\nrapl\nmsr\n");
	expect_order("a", true,
		     "pci_help\nintel_uncore\nrapl\nmsr\nvirtio\nvirtio_pci\n9pnet\n"
		     "9pnet_virtio\n9p\n");
}

/* Two modules that need each other, which no real kernel has, do not cause an endless loop. */
TEST_WITH(test_loop, setup, teardown)
{
	make_module("b/arch/x86/events/one.ko", "two");
	make_module("b/two.ko", "one");
	expect_order("b", false, "two\none\n");
}

TEST_WITH(test_packed, setup, teardown)
{
	make_module("c/arch/x86/events/power.ko", "");
	run("gzip %s/c/arch/x86/events/power.ko", folder);
	expect_order("c", false, "power\n");
	run("printf x >%s/c/arch/x86/events/broken.ko.gz", folder);
	{
		struct tree tree = {0};
		struct buf order = {0};
		struct reason why;
		char path[128];

		snprintf(path, sizeof(path), "%s/c", folder);
		assert_true(modules_pack(&tree, path, false, &order, &why) < 0);
		assert_non_null(strstr(why.text, "broken.ko.gz: gzip could not unpack it"));
		buf_free(&order);
		tree_free(&tree);
	}
}

TEST_WITH(test_no_folder, setup, teardown)
{
	struct tree tree = {0};
	struct buf order = {0};
	struct reason why;

	assert_int_equal(modules_pack(&tree, "/nosuch", false, &order, &why), -ENOENT);
	assert_string_equal(why.text, "/nosuch: No such file or directory");
	assert_true(modules_pack(&tree, folder, false, &order, &why) < 0);
	assert_non_null(strstr(why.text, "there is no module in it"));
}

/* As in packages: a kernel is in boot/, its modules are in lib/modules beside it. */
TEST_WITH(test_find, setup, teardown)
{
	char kernel[128], found[PATH_MAX], wanted[128];

	run("mkdir -p %s/boot %s/lib/modules/6.1.0-x", folder, folder);
	snprintf(kernel, sizeof(kernel), "%s/boot/vmlinuz", folder);
	snprintf(wanted, sizeof(wanted), "%s/boot/../lib/modules/6.1.0-x", folder);
	assert_true(modules_find(found, kernel, "6.1.0-x"));
	assert_string_equal(found, wanted);
	assert_false(modules_find(found, kernel, "6.1.0-nosuch"));
	assert_false(modules_find(found, kernel, ""));
}
