// SPDX-License-Identifier: BSD-2-Clause
/* test_qmp.c - questions to a fake QEMU with prepared answers. */
#include "tools/machine/qmp.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/unit/test.h"

#define GREETING     "{\"QMP\": {\"version\": {}, \"capabilities\": []}}\r\n"
#define DONE         "{\"return\": {}}\r\n"
#define EVENT(name)  "{\"timestamp\": {\"seconds\": 1}, \"event\": \"" name "\"}\r\n"
#define STATUS(word) "{\"return\": {\"status\": \"" word "\", \"running\": true}}\r\n"

static int far_end;

/* The answers exist before the questions: the test checks the order of reading. */
static struct qmp qemu_that_says(const char *words)
{
	struct qmp qmp = {0};
	int ends[2];

	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
	fcntl(ends[0], F_SETFL, O_NONBLOCK);
	qmp.fd = ends[0];
	far_end = ends[1];
	assert_int_equal(write(far_end, words, strlen(words)), strlen(words));
	return qmp;
}

static void forget(struct qmp *qmp)
{
	qmp_end(qmp);
	close(qmp->fd);
	close(far_end);
}

/* Checks the loading of a state, with what QEMU says. */
static void check_loading(const char *words, bool wanted, const char *reason)
{
	struct qmp qmp = qemu_that_says(words);
	struct reason why = {0};
	int err;

	shutdown(far_end, SHUT_WR);
	err = qmp_prepare_load(&qmp, &why);
	if (!err)
		err = qmp_begin(&qmp, &why);
	if (!err)
		err = qmp_load(&qmp, STDIN_FILENO, &why);
	assert_int_equal(!err, wanted);
	if (reason)
		assert_non_null(strstr(why.text, reason));
	forget(&qmp);
}

#define WRONG "{\"error\": {\"class\": \"x\", \"desc\": \"it is too late\"}}\r\n"

/* The answers to what was sent early, then to the file and to the command that reads it. */
TEST(test_loading)
{
	check_loading(GREETING DONE DONE DONE DONE EVENT("RESUME"), true, NULL);
	/* An event may come before an earlier answer, and others come at any time. */
	check_loading(GREETING DONE DONE DONE EVENT("MIGRATION") EVENT("RESUME") DONE, true, NULL);
	check_loading(GREETING DONE DONE DONE DONE EVENT("STOP"), false, "QEMU has ended");
	check_loading(GREETING DONE DONE DONE WRONG, false, "QEMU: it is too late");
	check_loading(GREETING DONE WRONG, false, "QEMU: it is too late");
	check_loading(GREETING DONE DONE DONE, false, "QEMU has ended");
	check_loading("what\r\n", false, "no JSON");
	check_loading("", false, "QEMU has ended");
}

/* A machine that does not stop delays the tool at most for its patience. */
TEST(test_stopped)
{
	struct qmp qmp = qemu_that_says(GREETING DONE STATUS("running") STATUS("paused"));

	assert_int_equal(qmp_begin(&qmp, NULL), 0);
	assert_int_equal(qmp_await_stopped(&qmp, 0, NULL), -EAGAIN);
	assert_int_equal(qmp_await_stopped(&qmp, 0, NULL), 0);
	forget(&qmp);
}

#define RTC(sec)                                                                          \
	"{\"return\": {\"tm_year\": 126, \"tm_mon\": 0, \"tm_mday\": 1, \"tm_hour\": 0, " \
	"\"tm_min\": 1, \"tm_sec\": " #sec "}}\r\n"

TEST(test_time)
{
	struct qmp qmp = qemu_that_says(GREETING DONE RTC(25) EVENT("RTC_CHANGE"));
	int64_t first;

	assert_int_equal(qmp_begin(&qmp, NULL), 0);
	first = qmp_time(&qmp);
	assert_true(first > 0);
	assert_int_equal(qmp_ask_time(&qmp), 0);
	assert_int_equal(qmp_told_time(&qmp), -EAGAIN);
	assert_int_equal(write(far_end, RTC(31), sizeof(RTC(31)) - 1), sizeof(RTC(31)) - 1);
	assert_int_equal(qmp_told_time(&qmp), first + 6);
	forget(&qmp);
}

/* The late answer to an abandoned question may come after the next question. */
TEST(test_order)
{
	struct qmp qmp = qemu_that_says(GREETING DONE RTC(25) RTC(25) DONE RTC(27));
	int64_t first;

	assert_int_equal(qmp_begin(&qmp, NULL), 0);
	first = qmp_time(&qmp);
	assert_int_equal(qmp_ask_time(&qmp), 0);
	assert_int_equal(qmp_ask_time(&qmp), 0); /* it is asked already */
	assert_int_equal(qmp_stop(&qmp, NULL), 0);
	assert_int_equal(qmp_time(&qmp), first + 2);
	forget(&qmp);
}

/* CPUs may be told in any order. */
TEST(test_threads)
{
	struct qmp qmp = qemu_that_says(
		GREETING DONE "{\"return\": [{\"cpu-index\": 1, \"thread-id\": 71},"
			      " {\"thread-id\": 70, \"cpu-index\": 0, \"target\": \"x86_64\"}]}\r\n"
			      "{\"return\": [{\"cpu-index\": 0}]}\r\n" DONE
			      "{\"return\": [{\"cpu-index\": 1, \"thread-id\": 71}]}\r\n");
	pid_t threads[2];
	struct reason why;

	assert_int_equal(qmp_begin(&qmp, NULL), 0);
	assert_int_equal(qmp_threads(&qmp, threads, 2, &why), 2);
	assert_int_equal(threads[0], 70);
	assert_int_equal(threads[1], 71);
	assert_int_equal(qmp_threads(&qmp, threads, 2, &why), -EPROTO);
	assert_int_equal(qmp_threads(&qmp, threads, 2, &why), -EPROTO);
	assert_int_equal(qmp_threads(&qmp, threads, 2, &why), -EPROTO); /* CPU 0 is left out */
	assert_string_equal(why.text, "QEMU does not tell the threads of its CPUs");
	forget(&qmp);
}

#define WORD(word) "{\"return\": \"000000000e3a9018: 0x" word "\\r\\n\"}\r\n"

TEST(test_word)
{
	struct qmp qmp = qemu_that_says(GREETING DONE WORD("0000000000000007") WORD(
		"ffffffffffffffff") "{\"return\": \"Cannot access memory\\r\\n\"}\r\n" RTC(25));
	char asked[1024] = "";
	uint64_t word = 1;

	assert_int_equal(qmp_begin(&qmp, NULL), 0);
	assert_int_equal(qmp_word(&qmp, 0xe3a9018, &word), 0);
	assert_int_equal(word, 7);
	assert_true(read(far_end, asked, sizeof(asked) - 1) > 0);
	assert_non_null(strstr(asked, "\"xp /1gx 0xe3a9018\""));
	assert_int_equal(qmp_word(&qmp, 1, &word), 0);
	assert_int_equal(word, UINT64_MAX);
	word = 5;
	assert_int_equal(qmp_word(&qmp, 1, &word), -EPROTO);
	assert_int_equal(word, 5);
	assert_true(qmp_time(&qmp) > 0);
	assert_int_equal(qmp_ask_word(&qmp, 1), 0);
	assert_int_equal(qmp_told_word(&qmp, &word), -EAGAIN);
	assert_int_equal(
		write(far_end, WORD("000000000000000a"), sizeof(WORD("000000000000000a")) - 1),
		sizeof(WORD("000000000000000a")) - 1);
	assert_int_equal(qmp_told_word(&qmp, &word), 0);
	assert_int_equal(word, 10);
	forget(&qmp);
}

#define VERSION(major)                                                                            \
	"{\"QMP\": {\"version\": {\"qemu\": {\"micro\": 2, \"minor\": 1, \"major\": " major "}}," \
	"\"capabilities\": []}}\r\n"

static void check_uri(const char *answers, bool saves, int fd, const char *wanted)
{
	struct qmp qmp = qemu_that_says(answers);
	char asked[1024] = "";
	struct reason why = {""};
	size_t n = 0;
	ssize_t got;

	assert_int_equal(qmp_begin(&qmp, &why), 0);
	assert_int_equal(saves ? qmp_save(&qmp, fd, &why) : qmp_load(&qmp, fd, &why), 0);
	shutdown(qmp.fd, SHUT_WR);
	while ((got = read(far_end, asked + n, sizeof(asked) - 1 - n)) >
	       0) /* ends at a descriptor */
		n += (size_t)got;
	assert_non_null(strstr(asked, wanted));
	forget(&qmp);
}

/* QEMU 7.2 takes files by descriptor, and 11.1 by path alone. */
TEST(test_files_of_states)
{
	const int fd = memfd_create("state", 0);
	char path[64];

	assert_int_equal(lseek(fd, 4096, SEEK_SET), 4096);
	snprintf(path, sizeof(path), "\"file:/proc/%d/fd/%d,offset=4096\"", getpid(), fd);
	check_uri(VERSION("7") DONE DONE DONE EVENT("RESUME"), false, fd, "\"fd:");
	check_uri(VERSION("11") DONE DONE EVENT("RESUME"), false, fd, path);
	check_uri(VERSION("10") DONE DONE DONE DONE DONE STATUS("completed"), true, fd, "\"fd:");
	check_uri(VERSION("11") DONE DONE DONE DONE STATUS("completed"), true, fd, path);
	close(fd);
}

TEST(test_property)
{
	struct qmp qmp = qemu_that_says(GREETING DONE "{\"return\": 24}\r\n" WRONG DONE);
	char text[16], asked[1024] = "";

	assert_int_equal(qmp_begin(&qmp, NULL), 0);
	assert_int_equal(qmp_property(&qmp, "/machine/x", "addr", text, sizeof(text)), 0);
	assert_string_equal(text, "24");
	assert_int_equal(qmp_property(&qmp, "/machine/x", "addr", text, sizeof(text)), -EPROTO);
	assert_int_equal(qmp_monitor(&qmp, "o/w 0xcf8 0x18"), 0);
	assert_true(read(far_end, asked, sizeof(asked) - 1) > 0);
	assert_non_null(strstr(asked, "\"o/w 0xcf8 0x18\""));
	forget(&qmp);
}

#define RIP(hex) "{\"return\": \"RAX=1\\r\\nRIP=" hex " RFL=2\\r\\n\"}\r\n"

TEST(test_low)
{
	struct qmp qmp = qemu_that_says(GREETING DONE RIP("ffff80000d66bb2b") RIP(
		"ffff80000d66bb30") RIP("000000000e7b04c7") RTC(25));

	assert_int_equal(qmp_begin(&qmp, NULL), 0);
	qmp_await_low(&qmp, 100);
	assert_true(qmp_time(&qmp) > 0); /* the next answer is that to another question */
	forget(&qmp);
}
