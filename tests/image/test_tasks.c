// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_tasks.c - tasks begin, move, fault and end, on all CPUs. All of their memory is free in the
 * end.
 */
#include "arch/x86/mem/paging.h"
#include "arch/x86/smp/smp.h"
#include "lib/printf.h"
#include "rt/base/image_test.h"
#include "linux/task/sched.h"
#include "linux/task/task.h"

#define NS_PER_MS 1000000u
#define WORDS_MAX 4

/* A workload as people type it, and its expected end. */
struct
try {
	const char *words[WORDS_MAX + 1];
	uint64_t timeout_ns;
	enum task_end end;
	int status;
};

static const char *failure_text(const struct try *t, const char *what)
{
	static char text[96];

	fmt_print(text, sizeof(text), "%s: %s", t->words[0], what);
	return text;
}

static const char *run_try(const struct try *t)
{
	struct workload_call call;
	struct task_outcome outcome;
	int n = 0;

	while (t->words[n])
		n++;
	if (workload_parse("test", n, (char **)(uintptr_t)t->words, &call))
		return failure_text(t, "is no workload");
	task_run(&call, t->timeout_ns, &outcome);
	if (outcome.end != t->end)
		return failure_text(t, "ended otherwise");
	return outcome.status == t->status ? NULL : failure_text(t, "ended with another status");
}

static const struct try tries[] = {
	{{"spawner", "8", "1000"}, 0, TASK_EXITED, 0},
	{{"spawner", "8", "1000", "threads=1"}, 0, TASK_EXITED, 0},
	{{"pingpong", "50"}, 0, TASK_EXITED, 0},
	/* A task that is woken on its way to sleep leaves no timer behind. */
	{{"pingpong", "100", "300M"}, 0, TASK_EXITED, 0},
	{{"migrate", "50", "2"}, 0, TASK_EXITED, 0},
	{{"switches", "50", "4"}, 0, TASK_EXITED, 0},
	{{"becomes", "10"}, 0, TASK_EXITED, 0},
	{{"faults", "10", "10", "0", "0"}, 0, TASK_EXITED, 0},
	{{"spawner", "5", "1G"}, 5 * NS_PER_MS, TASK_TIMED_OUT, 124},
	{{"pingpong", "1G"}, 5 * NS_PER_MS, TASK_TIMED_OUT, 124},
};

static const char *test_tasks_end_as_they_should(void)
{
	for (size_t i = 0; i < sizeof(tries) / sizeof(tries[0]); i++) {
		const char *why = run_try(&tries[i]);

		if (why)
			return why;
	}
	return NULL;
}
IMAGE_TEST(test_tasks_end_as_they_should);

/* The process of the first task stays until the next run. Here the next run has no threads: how
 * many stacks threads use depends on how many live at the same time. */
static const char *run_and_clear(const struct try *t)
{
	static const struct try nothing = {{"loop", "1"}, 0, TASK_EXITED, 0};
	const char *why = run_try(t);

	return why ? why : run_try(&nothing);
}

/* The second run takes no further memory. */
static const char *test_tasks_leave_no_memory_behind(void)
{
	for (size_t i = 0; i < sizeof(tries) / sizeof(tries[0]); i++) {
		const char *why = run_and_clear(&tries[i]);
		size_t before = page_free_count();

		if (!why)
			why = run_and_clear(&tries[i]);
		if (why)
			return why;
		if (page_free_count() != before)
			return failure_text(&tries[i], "pages are missing");
	}
	return NULL;
}
IMAGE_TEST(test_tasks_leave_no_memory_behind);

static const char *test_tasks_move_where_they_are_sent(void)
{
	static const struct try migrate = {{"migrate", "100", "1"}, 0, TASK_EXITED, 0};
	const uint64_t before = sched_counts().migrations;
	const char *why = run_try(&migrate);
	uint64_t moved = sched_counts().migrations - before;

	if (why)
		return why;
	if (smp_ncpus() == 1)
		return moved ? "a task moved, and there is one CPU" : NULL;
	return moved >= 100 ? NULL : "not each move was one";
}
IMAGE_TEST(test_tasks_move_where_they_are_sent);

static const char *test_nobody_has_a_cpu_afterwards(void)
{
	return sched_current() || task_current()->pid ? "this CPU still has a task" : NULL;
}
IMAGE_TEST(test_nobody_has_a_cpu_afterwards);
