// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_session_ends.c - sessions of the host tool and how they end: with BYE, without, by signals.
 */
#include "tests/unit/tools/fake_session.h"

#include "tests/unit/test.h"

TEST(test_good)
{
	check_session(RUN "good", 0, "a table", "a complaint");
	assert_false(said("out", "a complaint"));
	assert_false(said("err", "BdsDxe")); /* the firmware's noise */
	check_session(RUN "-v good", 0, "a table", "BdsDxe: loading");
	check_session(RUN "failing", 42, NULL, NULL);
}

TEST(test_options_of_vpmu)
{
	check_session(RUN "waiting", 0, "a table", "a complaint");
	check_session(RUN "-v waiting", 0, "a table", "vpmu: skx");
	assert_false(said("err", MARK_AWAIT));
}

TEST(test_incomplete)
{
	check_session(RUN "lying", 125, NULL,
		      "incomplete: command 0: 3 overflows, but 0 written + 1 lost");
	check_session(RUN "lossy", 125, NULL, "incomplete: 2 frames missing");
}

TEST(test_dying_machines)
{
	check_session(RUN "dead", 125, NULL, "machine: it burns");
	assert_true(said("err", "ended with status 7"));
	assert_false(said("err", "TCG lacks"));
	check_session(RUN "reset", 125, NULL, "reset or switched off");
	check_session(RUN "panicking", 125, NULL, "perf0: panic: out of luck");
}

/* A busy host may take more than eight seconds to start the machine. */
static void check_hanging(const char *machine, const char *err)
{
	char arguments[80];

	for (unsigned seconds = 1; seconds <= 64; seconds *= 8) {
		snprintf(arguments, sizeof(arguments), RUN "--timeout %u %s", seconds, machine);
		check_session(arguments, 124, NULL, NULL);
		if (said("err", err))
			return;
		assert_true(said("err", "never started"));
	}
	fail_msg("%s: '%s' was never said", machine, err);
}

TEST(test_machines_that_hang)
{
	check_hanging("obedient", "s: the workload was ended");
	assert_true(said("err", "timed out after "));
	assert_true(said("err", "interrupted"));
	check_hanging("deaf", "did not answer ^C");
	check_hanging("silent", "never started");
	assert_true(said("err", "no boot device"));
}

/* Shell code that waits until the machine runs: then the tool handles signals. */
#define WHEN_UP                                                                                  \
	"for i in $(seq 1200); do ls -l /proc/[0-9]*/exe 2>/dev/null | grep -q $PWD/machine && " \
	"break; sleep 0.05; done; "

static void check_signal(const char *machine, const char *signal, int status, const char *err)
{
	int got = shell(
		"cd %s && (./perf0 run --serial --events ratios --qemu ./machine %s >out 2>err & " WHEN_UP
		"kill -%s $!; %s; wait $!)",
		folder, machine, signal,
		strcmp(machine, "deaf") ? ":"
					: "while kill -INT $! 2>/dev/null; do sleep 0.2; done");

	if (got != status || !said("err", err))
		fail_msg("%s, SIG%s: status %d, wanted %d, '%s'", machine, signal, got, status,
			 err);
	assert_false(is_left_behind());
}

TEST(test_signals)
{
	check_signal("obedient", "INT", 130, "interrupted");
	check_signal("deaf", "INT", 130, "the guest was killed");
	/* No image runs yet that could end the workload. */
	check_signal("silent", "TERM", 143, "the guest was killed");
	check_signal("silent", "HUP", 129, "the guest was killed");
}

/* Starts a machine with a workload, and runs `script`, a line of shell that sends signals. There,
 * `said N TEXT` waits until the image has printed TEXT N times. */
static int snap(const char *script)
{
	return shell(
		"cd %s && : >out && said() { for i in $(seq 600); do "
		"[ $(grep -cx \"$2\" out) -ge $1 ] && break; sleep 0.05; done; }; "
		"./perf0 run --serial --events ratios --qemu ./machine --timeout 60 snapping >out 2>err & "
		"said 1 'it runs'; %s; wait $!",
		folder, script);
}

/* Before any end of a run the image's results until then come. */
TEST(test_signals_that_end_in_order)
{
	static const struct {
		const char *script;
		int status;
	} ending[] = {{"kill -INT $!", 130},
		      {"kill -TERM $!", 143},
		      {"kill -HUP $!", 129},
		      {"kill -USR1 $!", 138}};

	for (size_t i = 0; i < sizeof(ending) / sizeof(ending[0]); i++) {
		int got = snap(ending[i].script);

		if (got != ending[i].status || !said("err", "interrupted") ||
		    said("err", "was killed") || said("err", "incomplete"))
			fail_msg("%s: status %d", ending[i].script, got);
		assert_false(is_left_behind());
	}
}

/* SIGUSR2 does not end the run; the tool passes each one to the image. */
TEST(test_snapshots)
{
	assert_int_equal(snap("kill -USR2 $!; said 1 snap; kill -USR2 $!; said 2 snap; "
			      "kill -INT $!"),
			 130);
	assert_int_equal(shell("test $(grep -cx snap %s/out) = 2", folder), 0);
	assert_false(said("out", "what?"));
	assert_false(is_left_behind());
}

/* Any end of the tool ends the machine, too. */
TEST(test_killed_tool)
{
	shell("cd %s && (./perf0 run --serial --events ratios --qemu ./machine deaf >out 2>err & " WHEN_UP
	      "kill -KILL $!; "
	      "wait $!) 2>/dev/null",
	      folder);
	assert_false(is_left_behind());
}

TEST(test_closed_output)
{
	assert_int_equal(shell("cd %s && (./perf0 " RUN "good; echo $? >status) 2>err | true; "
			       "for i in $(seq 600); do [ -s status ] && break; sleep 0.05; done; "
			       "grep -qx 141 status || grep -qx 0 status",
			       folder),
			 0);
	assert_false(is_left_behind());
}

GROUP(make_folder, remove_folder);
