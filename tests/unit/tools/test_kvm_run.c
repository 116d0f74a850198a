// SPDX-License-Identifier: BSD-2-Clause
/* test_kvm_run.c - the host's side of a machine with KVM: threads of this process stand for its
 * CPUs, and files for what KVM tells. */
#include "tools/kvm/kvm_run.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/test.h"
#include "tools/kvm/host_counts.h"

static cpu_set_t allowed;

static unsigned last_allowed(void)
{
	unsigned last = 0;

	assert_int_equal(sched_getaffinity(0, sizeof(allowed), &allowed), 0);
	for (unsigned cpu = 0; cpu < CPU_SETSIZE; cpu++)
		last = CPU_ISSET(cpu, &allowed) ? cpu : last;
	return last;
}

TEST(test_choice)
{
	const unsigned last = last_allowed();
	unsigned cpus[2];
	struct reason why;
	char list[16];

	assert_int_equal(host_cpus_choose(NULL, 1, cpus, &why), 0);
	assert_int_equal(cpus[0], last);
	snprintf(list, sizeof(list), "%u", last);
	assert_int_equal(host_cpus_choose(list, 1, cpus, &why), 0);
	assert_int_equal(cpus[0], last);
	assert_int_equal(host_cpus_choose(list, 2, cpus, &why), -EINVAL);
	assert_string_equal(why.text, "1 CPUs of the host are too few for 2 of the machine");
	assert_int_equal(host_cpus_choose("1023", 1, cpus, &why), -EINVAL);
	assert_string_equal(why.text, "this process may not use CPU 1023");
	if (CPU_COUNT(&allowed) < 2)
		return;
	assert_int_equal(host_cpus_choose(NULL, 2, cpus, &why), 0);
	assert_true(cpus[0] < cpus[1]);
	assert_int_equal(cpus[1], last);
}

/* The thread stays on its CPU, and the time that it waited grows only. */
TEST(test_run)
{
	const unsigned last = last_allowed();
	const pid_t self = getpid();
	struct kvm_command command;
	struct buf text = {0};
	struct kvm_run run;
	cpu_set_t now;

	kvm_run_begin(&run, self, &self, 1, NULL);
	assert_int_equal(sched_getaffinity(0, sizeof(now), &now), 0);
	assert_int_equal(CPU_COUNT(&now), 1);
	assert_true(CPU_ISSET(last, &now));
	assert_false(kvm_command_end(&run, 1, true, &command));
	kvm_command_begin(&run, 1);
	assert_true(kvm_command_end(&run, 2, true, &command));
	assert_false(kvm_command_end(&run, 2, true, &command));
	kvm_command_tell(&run, &command, "stat loop", &text);
	if (run.huge_kib.is_known)
		assert_int_equal(run.huge_kib.value, 0);
	if (command.passed.waited.is_known)
		assert_true(command.passed.waited.value < 1000000000000);
	else
		assert_non_null(strstr(buf_text(&text), "not told: schedstat"));
	assert_non_null(strstr(buf_text(&text), "host of the machine (KVM), while 'stat' ran:\n"));
	assert_non_null(strstr(buf_text(&text), "begin to that of its end\n"));
	buf_free(&text);
	kvm_run_end(&run);
	kvm_command_begin(&run, 3);
	assert_false(kvm_command_end(&run, 4, true, &command));
	assert_int_equal(sched_setaffinity(0, sizeof(allowed), &allowed), 0);
}

/* A begin that is repeated changes nothing. One read that has begin and end tells no figure. */
TEST(test_commands)
{
	const pid_t self = getpid();
	struct kvm_command command;
	struct kvm_run run;

	kvm_run_begin(&run, self, &self, 1, NULL);
	kvm_command_begin(&run, 1);
	kvm_command_begin(&run, 7);
	assert_true(kvm_command_end(&run, 7, false, &command));
	assert_false(command.is_whole);
	kvm_command_begin(&run, 7);
	assert_true(kvm_command_end(&run, 7, true, &command));
	assert_false(command.passed.waited.is_known || command.passed.exits.is_known ||
		     command.passed.instructions.is_known);
	assert_string_equal(command.passed.exits.why.text,
			    "the command had ended before perf0 read of its begin");
	kvm_run_end(&run);
	assert_int_equal(sched_setaffinity(0, sizeof(allowed), &allowed), 0);
}

TEST(test_json)
{
	struct kvm_run run = {.n = 2, .is_pinned = true, .cpu = {4, 7}};
	struct kvm_command command = {
		.is_whole = true,
		.passed = {.waited = {.is_known = true, .value = 19173}},
	};
	struct buf text = {0};

	run.huge_kib = (struct host_figure){.is_known = true, .value = 262144};
	refuse(&command.passed.exits.why, EACCES, "exits: no");
	refuse(&command.passed.instructions.why, EACCES, "a \"word\"");
	kvm_command_json(&run, &command, "stat -e \"x\" loop", &text);
	assert_string_equal(buf_text(&text),
			    "{\"kvm_host\" : {\"command\" : \"stat -e \\\"x\\\" loop\", "
			    "\"span\" : \"from perf0's reading of its begin to that of its end\", "
			    "\"cpus\" : [4, 7], \"huge_kib\" : 262144, \"stolen_ns\" : 19173, "
			    "\"exits\" : null, \"instructions_guest\" : null, "
			    "\"not_told\" : {\"exits\" : \"exits: no\", "
			    "\"instructions_guest\" : \"a \\\"word\\\"\"}}}\n");
	buf_free(&text);
}

TEST(test_too_few)
{
	const pid_t threads[KVM_CPUS_MOST] = {getpid()};
	struct kvm_command command;
	struct buf text = {0};
	struct kvm_run run;

	kvm_run_begin(&run, getpid(), threads, 1, "1023");
	kvm_command_begin(&run, 1);
	kvm_command_end(&run, 2, true, &command);
	kvm_run_end(&run);
	kvm_command_tell(&run, &command, "stat", &text);
	assert_non_null(strstr(buf_text(&text), "any: this process may not use CPU 1023\n"));
	kvm_command_json(&run, &command, "stat", &text);
	assert_non_null(strstr(buf_text(&text), "\"cpus\" : null"));
	assert_non_null(
		strstr(buf_text(&text), "\"cpus\" : \"this process may not use CPU 1023\""));
	buf_free(&text);
}

static void write_exits(const char *folder, const char *machine, const char *text)
{
	char path[64];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", folder, machine);
	mkdir(path, 0700);
	strcat(path, "/exits");
	file = fopen(path, "w");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

/* A folder for each machine: the process, and the number of its descriptor. */
TEST(test_exits)
{
	char folder[] = "/tmp/perf0-kvm-XXXXXX", command[64];
	struct reason why;
	uint64_t exits = 0;

	assert_non_null(mkdtemp(folder));
	assert_int_equal(host_exits(folder, 70, &exits, &why), -ENOENT);
	assert_non_null(strstr(why.text, "no machine of process 70"));
	write_exits(folder, "701-12", "5\n");
	write_exits(folder, "70-12", "123456\n");
	write_exits(folder, "71-12", "what\n");
	assert_int_equal(host_exits(folder, 70, &exits, &why), 0);
	assert_int_equal(exits, 123456);
	assert_int_equal(host_exits(folder, 71, &exits, &why), -ENODATA);
	snprintf(command, sizeof(command), "rm -r %s", folder);
	assert_int_equal(system(command), 0);
	assert_int_equal(host_exits(folder, 70, &exits, &why), -ENOENT);
}
