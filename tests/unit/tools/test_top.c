// SPDX-License-Identifier: BSD-2-Clause
/* test_top.c - the screen of `perf0 top` after samples and keys, without a terminal. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/test.h"

#include "tools/top/profile.h"
#include "tools/top/terminal.h"
#include "tools/top/topview.h"

static const struct symbol alpha = {"alpha", 0x100, 0x200}, beta = {"beta", 0x200, 0x300};

static struct place place_at(const struct symbol *symbol, uint64_t address, bool kernel)
{
	return (struct place){
		.address = address, .vaddr = address, .symbol = symbol, .kernel = kernel};
}

/* alpha: 2 samples of 30 in ring 3, 1 of 100 in ring 0; beta: 3 of 1; an address. Event 1: beta. */
static void fill_profile(struct profile *profile)
{
	const struct {
		struct place place;
		size_t event;
		uint64_t weight;
		uint32_t cpu;
	} samples[] = {
		{place_at(&alpha, 0x104, false), 0, 30, 0},
		{place_at(&beta, 0x204, false), 0, 1, 1},
		{place_at(&beta, 0x208, false), 0, 1, 2},
		{place_at(&alpha, 0x104, true), 0, 100, 255},
		{place_at(&beta, 0x208, false), 0, 1, 4},
		{place_at(&alpha, 0x108, false), 0, 30, 2},
		{place_at(NULL, 0x999, false), 0, 7, 3},
		{place_at(&beta, 0x208, false), 1, 5, 0},
	};

	for (size_t i = 0; i < sizeof(samples) / sizeof(samples[0]); i++)
		profile_add(profile, samples[i].event, &samples[i].place, samples[i].weight,
			    samples[i].cpu);
}

TEST(test_rows_and_sorting)
{
	static const struct {
		enum profile_sort sort;
		const char *names;
	} cases[] = {
		{PROFILE_BY_WEIGHT, "alpha_k alpha 0x999 beta "},
		{PROFILE_BY_SAMPLES, "beta alpha 0x999 alpha_k "},
		{PROFILE_BY_NAME, "0x999 alpha alpha_k beta "},
	};
	struct profile profile = {0};
	struct buf rows = {0}, names = {0};
	char room[24];

	fill_profile(&profile);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		size_t n = profile_rows(&profile, 0, cases[i].sort, &rows);
		const struct profile_row *row = (const void *)rows.data;

		names.size = 0;
		for (size_t k = 0; k < n; k++)
			buf_printf(&names, "%s%s ", profile_name(&row[k].place, room),
				   row[k].place.kernel ? "_k" : "");
		assert_string_equal(buf_text(&names), cases[i].names);
	}
	assert_int_equal(profile_rows(&profile, 1, PROFILE_BY_WEIGHT, &rows), 1);
	assert_int_equal(profile_rows(&profile, 2, PROFILE_BY_WEIGHT, &rows), 0);
	assert_int_equal(profile_total(&profile, 0).samples, 7);
	assert_int_equal(profile_total(&profile, 0).weight, 170);
	buf_free(&rows);
	buf_free(&names);
	profile_clear(&profile);
}

TEST(test_addresses_of_a_row)
{
	const struct place row = place_at(&beta, 0x204, false);
	struct profile profile = {0};
	struct buf cells = {0};
	const struct profile_cell *cell;

	fill_profile(&profile);
	assert_int_equal(profile_addresses(&profile, 0, &row, &cells), 2);
	cell = (const void *)cells.data;
	assert_int_equal(cell[0].place.address, 0x204);
	assert_int_equal(cell[1].sum.samples, 2);
	buf_free(&cells);
	profile_clear(&profile);
}

/* Many addresses: the table loses nothing when it grows. */
TEST(test_growth)
{
	struct profile profile = {0};

	for (unsigned round = 0; round < 2; round++)
		for (uint64_t i = 0; i < 10000; i++) {
			const struct place place = place_at(NULL, i << 12, i & 1);

			profile_add(&profile, i % 3, &place, i, 0);
		}
	assert_int_equal(profile.used, 10000);
	assert_int_equal(profile_total(&profile, 0).samples + profile_total(&profile, 1).samples +
				 profile_total(&profile, 2).samples,
			 20000);
	profile_clear(&profile);
}

/* Returns the screen as text, without control sequences. Lines end with a newline. */
static const char *drawn(struct topview *view, const struct top_model *model, int width, int height)
{
	static char text[1 << 16];
	struct screen screen = {0};
	size_t n = 0;

	screen_start(&screen, width, height);
	topview_draw(view, model, &screen);
	assert_int_equal(screen.line, height);
	for (size_t i = 0; i < screen.out.size; i++) {
		if (screen.out.data[i] == '\033')
			while (screen.out.data[i] != 'm' && screen.out.data[i] != 'K')
				i++;
		else if (screen.out.data[i] != '\r')
			text[n++] = (char)screen.out.data[i];
	}
	text[n] = '\0';
	buf_free(&screen.out);
	return text;
}

static void shows(const char *screen, const char *wanted)
{
	if (!strstr(screen, wanted))
		fail_msg("'%s' is not on the screen:\n%s", wanted, screen);
}

static struct stream_event events[] = {{.name = (char *)"one"}, {.name = (char *)"two"}};

TEST(test_keys_and_pictures)
{
	struct profile profile = {0};
	const struct top_model model = {.command = "record x",
					.state = "running",
					.message = "",
					.events = events,
					.nevents = 2,
					.profile = &profile,
					.lost = 4};
	struct topview view = {0};
	const char *screen;

	fill_profile(&profile);
	screen = drawn(&view, &model, 80, 24);
	shows(screen, "event 1 of 2: one, by overhead");
	shows(screen, "7 samples, 170 events, 4 lost");
	shows(screen, "   58.82%         1  [k] alpha ");
	shows(screen, "   35.29%         2  [.] alpha ");
	/* The cursor moves down to ring 3's alpha, and stays with it when the order changes. */
	assert_true(topview_key(&view, &model, KEY_DOWN));
	drawn(&view, &model, 80, 24);
	assert_true(topview_key(&view, &model, 's'));
	shows(drawn(&view, &model, 80, 24), "by samples");
	assert_int_equal(view.cursor, 1);
	assert_true(topview_key(&view, &model, KEY_ENTER));
	screen = drawn(&view, &model, 80, 24);
	shows(screen, "Share of alpha ");
	shows(screen, "   50.00%         1           104 +0x4 ");
	/* q goes back first, then it leaves. */
	assert_true(topview_key(&view, &model, 'q'));
	shows(drawn(&view, &model, 80, 24), "[.] beta");
	assert_int_equal(view.cursor, 1);
	assert_true(topview_key(&view, &model, KEY_TAB));
	screen = drawn(&view, &model, 80, 24);
	shows(screen, "event 2 of 2: two");
	shows(screen, "  100.00%         1  [.] beta");
	assert_true(topview_key(&view, &model, 'h'));
	shows(drawn(&view, &model, 80, 24), "the next event");
	assert_true(topview_key(&view, &model, 'q'));
	assert_true(topview_key(&view, &model, KEY_ESC));
	assert_false(topview_key(&view, &model, 'q'));
	topview_free(&view);
	profile_clear(&profile);
}

/* With several CPUs each function has a list of its CPUs. */
TEST(test_cpus)
{
	struct profile profile = {0};
	const struct top_model model = {.command = "",
					.state = "",
					.message = "",
					.events = events,
					.nevents = 1,
					.profile = &profile,
					.ncpus = 256};
	struct topview view = {0};
	struct place place = place_at(NULL, 0x777, false);
	const char *screen;

	fill_profile(&profile);
	for (uint32_t cpu = 100; cpu < 200; cpu += 2)
		profile_add(&profile, 0, &place, 1, cpu);
	screen = drawn(&view, &model, 80, 24);
	shows(screen, " Overhead   Samples  CPU           Symbol");
	shows(screen, "   2  0,2       [.] alpha ");
	shows(screen, "   1  255       [k] alpha ");
	shows(screen, "   3  1-2,4     [.] beta ");
	shows(screen, "  50  100,102,  [.] 0x777 ");
	topview_free(&view);
	profile_clear(&profile);
}

/* With more rows than lines the cursor is always on the screen, of any size. */
TEST(test_scrolling)
{
	static const int keys[] = {KEY_END, KEY_UP,   KEY_PAGE_UP, KEY_HOME, KEY_PAGE_DOWN,
				   'j',     KEY_DOWN, KEY_UP,      'k',      KEY_PAGE_UP};
	struct profile profile = {0};
	const struct top_model model = {.command = "",
					.state = "",
					.message = "",
					.events = events,
					.nevents = 1,
					.profile = &profile};
	struct topview view = {.sort = PROFILE_BY_NAME};

	for (uint64_t i = 0; i < 100; i++) {
		const struct place place = place_at(NULL, 0x1000 + i, false);

		profile_add(&profile, 0, &place, 1, 0);
	}
	for (int height = 1; height < 30; height += 7)
		for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
			char name[24];

			topview_key(&view, &model, keys[i]);
			drawn(&view, &model, 40, height);
			snprintf(name, sizeof(name), "0x%zx", 0x1000 + view.cursor);
			assert_true(view.cursor < 100);
			if (height > 6)
				shows(drawn(&view, &model, 40, height), name);
		}
	topview_key(&view, &model, KEY_END);
	assert_int_equal(view.cursor, 99);
	topview_free(&view);
	profile_clear(&profile);
}

/* Before any data every key is harmless. */
TEST(test_empty)
{
	struct profile profile = {0};
	const struct top_model model = {
		.command = "", .state = "waiting", .message = "hello", .profile = &profile};
	struct topview view = {0};

	for (int key = 1; key <= KEY_END; key++)
		if (key != 'q') {
			assert_true(topview_key(&view, &model, key));
			drawn(&view, &model, 80, 5);
		}
	view.help = false;
	shows(drawn(&view, &model, 80, 24), "hello");
	topview_free(&view);
}

/* Bytes that terminals send for keys. Unknown ones are skipped. */
TEST(test_terminal_keys)
{
	static const char bytes[] = "a\033[A\033OB\033[5~\033[1;5Zb\n\033[200~\t";
	static const int wanted[] = {'a', KEY_UP,    KEY_DOWN, KEY_PAGE_UP,
				     'b', KEY_ENTER, KEY_TAB,  KEY_NONE};
	struct terminal terminal = {0};
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	assert_int_equal(write(ends[1], bytes, sizeof(bytes) - 1), sizeof(bytes) - 1);
	close(ends[1]);
	terminal.fd = ends[0];
	for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++)
		assert_int_equal(terminal_key(&terminal), wanted[i]);
	buf_add(&terminal.keys, "\033", 1);
	assert_int_equal(terminal_key(&terminal), KEY_ESC);
	close(ends[0]);
	buf_free(&terminal.keys);
}
