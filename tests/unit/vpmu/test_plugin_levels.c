// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_plugin_levels.c - the plugin with `levels=one` in a fake QEMU: all blocks are translated
 * anew once, for any later requests.
 */
#include "tests/unit/vpmu/played_qemu.h"

#include <sys/mman.h>
#include <unistd.h>

#include "tests/unit/test.h"

TEST(test_the_first_event_begins_all_levels)
{
	ask_for(EVENTS_LEVEL_NONE);
	run_blocks(10, 20);
	assert_int_equal(resets, 0);
	ask_for(EVENTS_LEVEL_COUNTS);
	assert_int_equal(resets, 1);
	ask_for(EVENTS_LEVEL_COUNTS);
	assert_int_equal(page->cpu[0].level, EVENTS_LEVEL_MODEL);
}

/* Blocks that are translated between two measurements are counted, too. */
TEST(test_translations_are_forgotten_once)
{
	static const enum events_level later[] = {EVENTS_LEVEL_MODEL, EVENTS_LEVEL_BRANCHES,
						  EVENTS_LEVEL_NONE, EVENTS_LEVEL_COUNTS};

	for (unsigned i = 0; i < sizeof(later) / sizeof(later[0]); i++) {
		const uint64_t before = page->cpu[0].count[EVENTS_INSTRUCTIONS];

		ask_for(later[i]);
		run_blocks(10, 20);
		ask_for(later[i]);
		assert_int_equal(page->cpu[0].count[EVENTS_INSTRUCTIONS] - before, 800);
		assert_int_equal(page->cpu[0].level, EVENTS_LEVEL_MODEL);
		assert_int_equal(resets, 1);
	}
}

FIXTURE(set_up)
{
	static char levels[] = "levels=one";

	return install(levels);
}

FIXTURE(tear_down)
{
	munmap(page, EVENTS_PAGE_BYTES);
	return unlink(page_path);
}

GROUP(set_up, tear_down);
