// SPDX-License-Identifier: BSD-2-Clause
/* test_profile_page.c - the page of a profile, read back as text, and instructions as text. */
#include "tests/unit/profile/folded_rig.h"
#include "tools/forms/disassembly.h"
#include "tools/forms/flame_svg.h"
#include "tools/forms/profile_out.h"

static const char *const words[] = {"profile", "--", "./prog <b>", NULL};

/* Builds the page, and keeps its text: cells are separated by '|', rows by line ends. */
static void read_page(struct buf *text)
{
	const struct profile_source source = {
		.profile = &rig.profile, .lines = &lines, .words = words};

	profile_html(&out, &source);
	for (const char *at = buf_text(&out); *at; at++) {
		if (!strncmp(at, "</td>", 5))
			buf_printf(text, "|");
		if (!strncmp(at, "</tr>", 5))
			buf_printf(text, "\n");
		if (*at == '<')
			at = strchr(at, '>');
		else if (*at != '\n')
			buf_add(text, at, 1);
	}
	buf_text(text);
}

static void expect_in(struct buf *text, const char *words_of_page)
{
	if (!strstr(buf_text(text), words_of_page))
		fail_msg("no '%s' in:\n%s", words_of_page, buf_text(text));
}

TEST_WITH(test_page, begin, end)
{
	struct buf text = {0};

	read_page(&text);
	expect_in(&text, "24000|79.99%|30000|1000|work|/prog|");
	expect_in(&text, "6000|20.00%|6000|3000|leaf|/prog|");
	expect_in(&text, "work: 30,000 (99.99%), self 24,000");
	expect_in(&text, "6000|3|__attribute__((noinline)) void leaf(int n) { x += n; }|");
	expect_in(&text, "|1|int x;|");
	expect_in(&text, "3000|6000|leaf|");
	expect_in(&text, "./prog &lt;b&gt;");
	assert_null(strstr(buf_text(&out), "<script"));
	assert_null(strstr(buf_text(&out), "<b>"));
	buf_free(&text);
}

/* Each link leads to a section of the page. */
TEST_WITH(test_links, begin, end)
{
	struct buf text = {0};
	unsigned links = 0;

	read_page(&text);
	for (const char *at = buf_text(&out); (at = strstr(at, "href=\"#")); at++) {
		char id[32];

		snprintf(id, sizeof(id), "id=\"%.*s\"", (int)strcspn(at + 7, "\""), at + 7);
		if (!strstr(buf_text(&out), id))
			fail_msg("no %s", id);
		links++;
	}
	assert_true(links > 3);
	buf_free(&text);
}

/* Boxes of callers are below, and children lie inside of their parent. */
TEST_WITH(test_flame, begin, end)
{
	bool has_link[8] = {false};
	float x, y, width, x2, y2, width2;
	const char *at;

	assert_true(rig.profile.nrows < 8);
	flame_svg(&out, &rig.profile, 0, has_link);
	at = strstr(buf_text(&out), "<rect");
	assert_int_equal(
		sscanf(at, "<rect class=\"edge\" x=\"%f\" y=\"%f\" width=\"%f\"", &x, &y, &width),
		3);
	at = strstr(at + 1, "<rect");
	assert_int_equal(sscanf(at, "<rect class=\"edge\" x=\"%f\" y=\"%f\" width=\"%f\"", &x2, &y2,
				&width2),
			 3);
	assert_true(width > 1119 && y2 < y && x2 >= x && width2 < width);
	assert_null(strstr(buf_text(&out), "href"));
}

struct told {
	char text[16][DISASSEMBLY_TEXT];
	uint64_t address[16];
	size_t n;
};

static void note_insn(void *ctx, uint64_t address, const char *text)
{
	struct told *told = ctx;

	if (told->n == 16)
		return;
	told->address[told->n] = address;
	snprintf(told->text[told->n++], DISASSEMBLY_TEXT, "%s", text);
}

TEST(test_disassembly)
{
	struct profile_rig own;
	static struct told told;
	uint64_t at;

	rig_begin(&own);
	rig_write(&own, "code.S",
		  ".text\n.type one, @function\n.globl one\n"
		  "one: push %rbx\nmov $5, %eax\ncall two\n.byte 6\nret\n.size one, . - one\n"
		  ".type two, @function\ntwo: ret\n.size two, . - two\n"
		  ".section .note.GNU-stack, \"\", @progbits\n");
	rig_shell(&own, "gcc -nostdlib -static -Wl,-e,one -o asm code.S");
	rig_add(&own, "asm");
	at = rig_address(&own, "one");
	disassemble(&own.map.object[0], at, rig_address(&own, "two"), note_insn, &told);
	assert_int_equal(told.n, 5);
	assert_string_equal(told.text[0], "push rbx");
	assert_string_equal(told.text[1], "mov eax, 0x5");
	assert_int_equal(told.address[1], at + 1);
	assert_non_null(strstr(told.text[2], "call 0x"));
	assert_non_null(strstr(told.text[2], " <two>"));
	assert_string_equal(told.text[3], "(bad)");
	assert_string_equal(told.text[4], "ret");
	rig_shell(&own, "rm asm");
	disassemble(&own.map.object[0], at, at + 4, note_insn, &told);
	assert_int_equal(told.n, 5);
	rig_end(&own);
}
