// SPDX-License-Identifier: BSD-2-Clause
/* test_stack_tree.c - folded stacks of two sides: text, sums, and text that is damaged. */
#include "tools/profile/stack_tree.h"

#include <errno.h>
#include <string.h>

#include "tests/unit/test.h"

static const char text[] = "b;main 3\n"
			   "b;main;operator new 5\n"
			   "b;main;work 7\n"
			   "c;main 1\n";

static void read_stacks(struct stack_tree *tree, enum stack_side side, const char *stacks)
{
	struct reason why;

	assert_int_equal(stack_tree_read(tree, side, stacks, strlen(stacks), &why), 0);
}

TEST(test_stacks_are_read_and_written)
{
	struct stack_tree tree = {0};
	struct buf out = {0};

	read_stacks(&tree, STACK_OLD, text);
	stack_tree_write(&out, &tree, STACK_OLD);
	assert_string_equal(buf_text(&out), text);
	out.size = 0;
	stack_tree_write(&out, &tree, STACK_NEW);
	assert_int_equal(out.size, 0);
	buf_free(&out);
	stack_tree_free(&tree);
}

TEST(test_stacks_of_two_sides)
{
	struct stack_tree tree = {0};
	struct buf path = {0};
	uint32_t b, main;

	read_stacks(&tree, STACK_OLD, text);
	read_stacks(&tree, STACK_NEW, "b;main;work 9\nb;main;work;inner 2\nb;main;work 1\n");
	b = stack_tree_find(&tree, 0, "b");
	main = stack_tree_find(&tree, b, "main");
	assert_int_equal(stack_tree_sum(&tree, b, STACK_OLD), 15);
	assert_int_equal(stack_tree_sum(&tree, b, STACK_NEW), 12);
	assert_int_equal(stack_tree_sum(&tree, 0, STACK_OLD), 16);
	assert_int_equal(tree.node[stack_tree_find(&tree, main, "work")].self[STACK_NEW], 10);
	assert_int_equal(stack_tree_find(&tree, b, "work"), 0);
	for (uint32_t i = 1; i < tree.n; i++)
		assert_true(tree.node[i].parent < i);
	stack_tree_path(&path, &tree, b, stack_tree_find(&tree, main, "work"), " > ");
	assert_string_equal(buf_text(&path), "main > work");
	buf_free(&path);
	stack_tree_free(&tree);
}

/* A name can neither end a stack nor a line. */
TEST(test_stacks_of_odd_names)
{
	struct stack_tree tree = {0};
	struct buf out = {0};
	const uint32_t at = stack_tree_child(&tree, 0, "a;b\n1");

	assert_int_equal(stack_tree_find(&tree, 0, "a;b\n1"), at);
	tree.node[at].self[STACK_NEW] = 4;
	stack_tree_write(&out, &tree, STACK_NEW);
	assert_null(strchr(buf_text(&out), ';'));
	assert_ptr_equal(strchr(buf_text(&out), '\n'), buf_text(&out) + out.size - 1);
	buf_free(&out);
	stack_tree_free(&tree);
}

TEST(test_stacks_that_are_wrong)
{
	static const char *const wrong[] = {
		"a", "a;b", "a x", " 5", "a 5x", "a -5", "a 99999999999999999999"};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct stack_tree tree = {0};
		struct reason why;

		assert_int_equal(
			stack_tree_read(&tree, STACK_OLD, wrong[i], strlen(wrong[i]), &why),
			-EINVAL);
		assert_string_equal(why.text, "line 1: this is no stack with a count");
		stack_tree_free(&tree);
	}
}
