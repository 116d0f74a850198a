// SPDX-License-Identifier: BSD-2-Clause
/* qmp.c - see qmp.h. A message is one line of JSON. */
#include "tools/machine/qmp.h"

#include <errno.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define READ_BYTES 4096
#define POLL_MS    5 /* between two checks of the progress of saving */
#define FD_NAME    "state"

/* Reads bytes that arrive within `ms`. */
static int fill_input(struct qmp *qmp, int ms, struct reason *why)
{
	struct pollfd wait = {.fd = qmp->fd, .events = POLLIN};
	char bytes[READ_BYTES];
	ssize_t n;

	do
		n = poll(&wait, 1, ms);
	while (n < 0 && errno == EINTR);
	if (!n)
		return refuse(why, ETIMEDOUT, "QEMU does not answer");
	n = read(qmp->fd, bytes, sizeof(bytes));
	if (n < 0 && errno == EAGAIN)
		return 0;
	if (n <= 0)
		return refuse(why, EPIPE, "QEMU has ended");
	buf_add(&qmp->in, bytes, (size_t)n);
	return 0;
}

/* Takes a whole received line, terminated; NULL: there is none yet. */
static char *take_qmp_line(struct qmp *qmp)
{
	char *line = (char *)qmp->in.data + qmp->taken, *end;

	if (qmp->taken == qmp->in.size)
		return NULL;
	end = memchr(line, '\n', qmp->in.size - qmp->taken);
	if (!end)
		return NULL;
	*end = '\0';
	qmp->taken += (size_t)(end + 1 - line);
	return line;
}

static struct json_object *parse_message(const char *line, struct reason *why)
{
	struct json_object *message = json_tokener_parse(line);

	if (!message)
		refuse(why, EPROTO, "QEMU says what is no JSON");
	return message;
}

/*
 * Takes the next message; the caller calls json_object_put(). NULL with the reason: there is none.
 */
static struct json_object *next_message(struct qmp *qmp, struct reason *why)
{
	char *line;

	while (!(line = take_qmp_line(qmp)))
		if (fill_input(qmp, QMP_PATIENCE_MS, why))
			return NULL;
	return parse_message(line, why);
}

static const char *text_of(struct json_object *object, const char *key)
{
	struct json_object *member;

	return json_object_object_get_ex(object, key, &member) ? json_object_get_string(member)
							       : "";
}

/* Skips messages until one has `key`, or is an error. */
static struct json_object *await_message(struct qmp *qmp, const char *key, struct reason *why)
{
	struct json_object *message, *member;

	while ((message = next_message(qmp, why))) {
		if (json_object_object_get_ex(message, key, NULL))
			return message;
		if (json_object_object_get_ex(message, "error", &member)) {
			refuse(why, EIO, "QEMU: %s", text_of(member, "desc"));
			json_object_put(message);
			return NULL;
		}
		json_object_put(message);
	}
	return NULL;
}

/* Sends a line, and with it `fd` unless that is negative. */
static int send_line(struct qmp *qmp, const char *line, int fd, struct reason *why)
{
	union {
		struct cmsghdr head;
		char bytes[CMSG_SPACE(sizeof(int))];
	} control = {0};
	struct iovec text = {(void *)line, strlen(line)};
	struct msghdr message = {.msg_iov = &text, .msg_iovlen = 1};

	if (fd >= 0) {
		message.msg_control = &control;
		message.msg_controllen = sizeof(control);
		control.head.cmsg_level = SOL_SOCKET;
		control.head.cmsg_type = SCM_RIGHTS;
		control.head.cmsg_len = CMSG_LEN(sizeof(int));
		memcpy(CMSG_DATA(&control.head), &fd, sizeof(fd));
	}
	if (sendmsg(qmp->fd, &message, MSG_NOSIGNAL) != (ssize_t)text.iov_len)
		return refuse(why, EPIPE, "QEMU takes no command: %s", strerror(errno));
	return 0;
}

static int take_answer(struct qmp *qmp, struct reason *why)
{
	struct json_object *answer = await_message(qmp, "return", why);

	if (!answer)
		return -EIO;
	json_object_put(answer);
	return 0;
}

/*
 * Takes the answer to a question that did not wait. Answers come in order, so it precedes the next
 * one.
 */
static int take_asked(struct qmp *qmp, struct reason *why)
{
	const bool asked = qmp->asked;

	qmp->asked = false;
	return asked ? take_answer(qmp, why) : 0;
}

static int execute(struct qmp *qmp, const char *line, int fd, struct reason *why)
{
	int err = take_asked(qmp, why);

	if (!err)
		err = send_line(qmp, line, fd, why);
	return err ? err : take_answer(qmp, why);
}

static const char negotiation[] = "{\"execute\": \"qmp_capabilities\"}\n";

/* Memory that QEMU shares with the tool is not part of the state (pages.h). */
static const char leave_memory[] =
	"{\"execute\": \"migrate-set-capabilities\", \"arguments\": {\"capabilities\":"
	" [{\"capability\": \"x-ignore-shared\", \"state\": true}]}}\n";

static int send_early(struct qmp *qmp, const char *line, struct reason *why)
{
	const int err = send_line(qmp, line, -1, why);

	if (!err)
		qmp->early++;
	return err;
}

int qmp_prepare_load(struct qmp *qmp, struct reason *why)
{
	const int err = send_early(qmp, negotiation, why);

	return err ? err : send_early(qmp, leave_memory, why);
}

/* Returns the first number of QEMU's version; 0: the greeting does not tell. */
static int major_version(struct json_object *greeting)
{
	struct json_object *at = greeting;
	static const char *const path[] = {"QMP", "version", "qemu", "major"};

	for (size_t i = 0; i < sizeof(path) / sizeof(path[0]); i++)
		if (!json_object_object_get_ex(at, path[i], &at))
			return 0;
	return json_object_get_int(at);
}

int qmp_begin(struct qmp *qmp, struct reason *why)
{
	struct json_object *greeting;
	int err = 0;

	if (qmp->begun)
		return 0;
	greeting = await_message(qmp, "QMP", why);
	if (!greeting)
		return -EPROTO;
	qmp->major = major_version(greeting);
	json_object_put(greeting);
	if (!qmp->early)
		err = send_early(qmp, negotiation, why);
	for (; !err && qmp->early; qmp->early--)
		err = take_answer(qmp, why);
	qmp->begun = !err;
	return err;
}

static const char state_question[] = "{\"execute\": \"query-status\"}\n";

/* Returns 1: the machine runs; 0: it does not. */
static int look_at_status(struct qmp *qmp, struct reason *why)
{
	struct json_object *answer = NULL, *state;
	int runs;

	if (!send_line(qmp, state_question, -1, why))
		answer = await_message(qmp, "return", why);
	if (!answer)
		return -EPROTO;
	json_object_object_get_ex(answer, "return", &state);
	runs = !strcmp(text_of(state, "status"), "running");
	json_object_put(answer);
	return runs;
}

int qmp_await_stopped(struct qmp *qmp, unsigned patience, struct reason *why)
{
	int runs = take_asked(qmp, why);

	for (unsigned ms = 0; !runs && (runs = look_at_status(qmp, why)) > 0; runs = 0, ms++) {
		if (ms >= patience)
			return refuse(why, EAGAIN, "QEMU does not stop");
		poll(NULL, 0, 1);
	}
	return runs < 0 ? runs : 0;
}

int qmp_stop(struct qmp *qmp, struct reason *why)
{
	return execute(qmp, "{\"execute\": \"stop\"}\n", -1, why);
}

int qmp_go_on(struct qmp *qmp, struct reason *why)
{
	return execute(qmp, "{\"execute\": \"cont\"}\n", -1, why);
}

/* Returns 1: the machine is saved; 0: not yet. */
static int look_at_saving(struct qmp *qmp, struct reason *why)
{
	struct json_object *answer, *state;
	const char *status;
	int done;

	if (send_line(qmp, "{\"execute\": \"query-migrate\"}\n", -1, why))
		return -EPIPE;
	answer = await_message(qmp, "return", why);
	if (!answer)
		return -EIO;
	json_object_object_get_ex(answer, "return", &state);
	status = text_of(state, "status");
	done = !strcmp(status, "completed");
	if (!strcmp(status, "failed") || !strcmp(status, "cancelled"))
		done = refuse(why, EIO, "QEMU: the state can not be written: %s",
			      text_of(state, "error-desc"));
	json_object_put(answer);
	return done;
}

/*
 * Saves at full speed, because nothing else uses the disk. The machine is not stopped first: a
 * state that was saved while it ran runs as soon as it is loaded.
 */
static const char full_speed[] = "{\"execute\": \"migrate-set-parameters\","
				 " \"arguments\": {\"max-bandwidth\": 100000000000}}\n";

/*
 * Sends the command that reads or writes the state at the position of `fd`. QEMU takes regular
 * files by path since 8.2, and from 11.1 on no descriptors of them. Returns how many answers will
 * come, or -E.
 */
static int send_migration(struct qmp *qmp, const char *command, int fd, struct reason *why)
{
	char lines[256];
	int err;

	if (qmp->major >= 11) {
		snprintf(lines, sizeof(lines),
			 "{\"execute\": \"%s\", \"arguments\":"
			 " {\"uri\": \"file:/proc/%lld/fd/%d,offset=%lld\"}}\n",
			 command, (long long)getpid(), fd, (long long)lseek(fd, 0, SEEK_CUR));
		err = send_line(qmp, lines, -1, why);
		return err ? err : 1;
	}
	snprintf(lines, sizeof(lines),
		 "{\"execute\": \"getfd\", \"arguments\": {\"fdname\": \"" FD_NAME "\"}}\n"
		 "{\"execute\": \"%s\", \"arguments\": {\"uri\": \"fd:" FD_NAME "\"}}\n",
		 command);
	err = send_line(qmp, lines, fd, why);
	return err ? err : 2;
}

/* Returns 1: the message is that event; 0: it is an answer or another event; -EIO: an error. */
static int sort_message(struct json_object *message, const char *event, struct reason *why)
{
	struct json_object *error;

	if (json_object_object_get_ex(message, "error", &error))
		return refuse(why, EIO, "QEMU: %s", text_of(error, "desc"));
	return !strcmp(text_of(message, "event"), event);
}

/* Waits for `answers` answers and an event, which may come before an older answer. */
static int await_event(struct qmp *qmp, int answers, const char *event, struct reason *why)
{
	bool is_seen = false;

	while (answers || !is_seen) {
		struct json_object *message = next_message(qmp, why);
		int is_event;

		if (!message)
			return -EIO;
		is_event = sort_message(message, event, why);
		if (json_object_object_get_ex(message, "return", NULL))
			answers--;
		json_object_put(message);
		if (is_event < 0)
			return is_event;
		is_seen |= is_event;
	}
	return 0;
}

int qmp_load(struct qmp *qmp, int fd, struct reason *why)
{
	int answers = take_asked(qmp, why);

	if (!answers)
		answers = send_migration(qmp, "migrate-incoming", fd, why);
	return answers < 0 ? answers : await_event(qmp, answers, "RESUME", why);
}

int qmp_save(struct qmp *qmp, int fd, struct reason *why)
{
	int done = execute(qmp, full_speed, -1, why), answers = 0;

	if (!done)
		done = execute(qmp, leave_memory, -1, why);
	if (!done)
		answers = send_migration(qmp, "migrate", fd, why);
	for (; !done && answers > 0; answers--)
		done = take_answer(qmp, why);
	if (answers < 0)
		return answers;
	while (!done) {
		poll(NULL, 0, POLL_MS);
		done = look_at_saving(qmp, why);
	}
	return done < 0 ? done : 0;
}

/* Reads an answer whose members have the names of struct tm. */
static int64_t read_time(struct json_object *answer)
{
	struct tm tm = {0};
	const struct {
		const char *key;
		int *to;
	} members[] = {{"tm_year", &tm.tm_year}, {"tm_mon", &tm.tm_mon}, {"tm_mday", &tm.tm_mday},
		       {"tm_hour", &tm.tm_hour}, {"tm_min", &tm.tm_min}, {"tm_sec", &tm.tm_sec}};
	struct json_object *time, *member;

	if (!json_object_object_get_ex(answer, "return", &time))
		return -EPROTO;
	for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
		if (!json_object_object_get_ex(time, members[i].key, &member))
			return -EPROTO;
		*members[i].to = json_object_get_int(member);
	}
	return timegm(&tm);
}

static const char time_question[] = "{\"execute\": \"qom-get\", \"arguments\":"
				    " {\"path\": \"/machine\", \"property\": \"rtc-time\"}}\n";

/* Asks one question; none may be open. */
static int ask_qmp(struct qmp *qmp, const char *question)
{
	if (!qmp->asked)
		qmp->asked = !send_line(qmp, question, -1, NULL);
	return qmp->asked ? 0 : -EPIPE;
}

/* Takes the answer if it has arrived; the caller calls json_object_put(). NULL with -E: not yet. */
static struct json_object *take_told(struct qmp *qmp, int *err)
{
	struct json_object *message;
	char *line;

	*err = -EAGAIN;
	fill_input(qmp, 0, NULL);
	while ((line = take_qmp_line(qmp))) {
		message = parse_message(line, NULL);
		if (!message) {
			*err = -EPROTO;
			return NULL;
		}
		if (!json_object_object_get_ex(message, "event", NULL)) {
			qmp->asked = false;
			return message;
		}
		json_object_put(message);
	}
	return NULL;
}

/* Asks and waits for the answer; the caller calls json_object_put(). */
static struct json_object *ask_and_wait(struct qmp *qmp, const char *question)
{
	if (take_asked(qmp, NULL) || send_line(qmp, question, -1, NULL))
		return NULL;
	return await_message(qmp, "return", NULL);
}

#define QUESTION_BYTES 160

int qmp_property(struct qmp *qmp, const char *path, const char *property, char *text, size_t size)
{
	char line[QUESTION_BYTES];
	struct json_object *answer;

	snprintf(line, sizeof(line),
		 "{\"execute\": \"qom-get\", \"arguments\":"
		 " {\"path\": \"%s\", \"property\": \"%s\"}}\n",
		 path, property);
	answer = ask_and_wait(qmp, line);
	if (!answer)
		return -EPROTO;
	snprintf(text, size, "%s", text_of(answer, "return"));
	json_object_put(answer);
	return 0;
}

/* A command of the human monitor, as a question of QUESTION_BYTES. */
static const char *monitor_question(char *text, const char *command)
{
	snprintf(text, QUESTION_BYTES,
		 "{\"execute\": \"human-monitor-command\", \"arguments\":"
		 " {\"command-line\": \"%s\"}}\n",
		 command);
	return text;
}

int qmp_monitor(struct qmp *qmp, const char *command)
{
	char text[QUESTION_BYTES];
	struct json_object *answer = ask_and_wait(qmp, monitor_question(text, command));

	json_object_put(answer);
	return answer ? 0 : -EPROTO;
}

/* Returns whether the first CPU executes code above 4 GiB; false, too, if QEMU does not tell. */
static bool is_high(struct qmp *qmp)
{
	char text[QUESTION_BYTES];
	struct json_object *answer = ask_and_wait(qmp, monitor_question(text, "info registers"));
	const char *at = answer ? strstr(text_of(answer, "return"), "RIP=") : NULL;
	const bool is = at && strtoull(at + strlen("RIP="), NULL, 16) >> 32;

	json_object_put(answer);
	return is;
}

void qmp_await_low(struct qmp *qmp, unsigned patience)
{
	for (unsigned ms = 0; ms < patience && is_high(qmp); ms++)
		poll(NULL, 0, 1);
}

int qmp_ask_state(struct qmp *qmp)
{
	return ask_qmp(qmp, state_question);
}

/* QEMU's QAPI, "RunState": those that no time ends. A machine that waits for its input is in
 * "guest-panicked" (include/perf0/shared.h). */
static bool is_failure(const char *state)
{
	static const char *const failures[] = {"internal-error", "io-error"};

	for (size_t i = 0; i < sizeof(failures) / sizeof(failures[0]); i++)
		if (!strcmp(state, failures[i]))
			return true;
	return false;
}

int qmp_told_failure(struct qmp *qmp, char state[QMP_STATE_MAX])
{
	int err;
	struct json_object *answer = take_told(qmp, &err), *status;

	if (!answer)
		return err;
	state[0] = 0;
	if (json_object_object_get_ex(answer, "return", &status))
		snprintf(state, QMP_STATE_MAX, "%s", text_of(status, "status"));
	json_object_put(answer);
	return is_failure(state);
}

int qmp_ask_time(struct qmp *qmp)
{
	return ask_qmp(qmp, time_question);
}

int64_t qmp_told_time(struct qmp *qmp)
{
	int err;
	struct json_object *answer = take_told(qmp, &err);
	const int64_t time = answer ? read_time(answer) : err;

	json_object_put(answer);
	return time;
}

int64_t qmp_time(struct qmp *qmp)
{
	struct json_object *answer = ask_and_wait(qmp, time_question);
	const int64_t time = answer ? read_time(answer) : -EPIPE;

	json_object_put(answer);
	return time;
}

/* Reads a line of QEMU's human monitor: the address, a colon, the word. */
static int read_word(struct json_object *answer, uint64_t *word)
{
	const char *at = strchr(text_of(answer, "return"), ':');
	char *end;

	if (!at)
		return -EPROTO;
	*word = strtoull(at + 1, &end, 16);
	return end == at + 1 ? -EPROTO : 0;
}

static const char *word_question(char *text, uint64_t address)
{
	char command[32];

	snprintf(command, sizeof(command), "xp /1gx 0x%" PRIx64, address);
	return monitor_question(text, command);
}

int qmp_ask_word(struct qmp *qmp, uint64_t address)
{
	char text[QUESTION_BYTES];

	return ask_qmp(qmp, word_question(text, address));
}

int qmp_told_word(struct qmp *qmp, uint64_t *word)
{
	int err;
	struct json_object *answer = take_told(qmp, &err);

	if (answer)
		err = read_word(answer, word);
	json_object_put(answer);
	return err;
}

int qmp_word(struct qmp *qmp, uint64_t address, uint64_t *word)
{
	char text[QUESTION_BYTES];
	struct json_object *answer = ask_and_wait(qmp, word_question(text, address));
	const int err = answer ? read_word(answer, word) : -EPIPE;

	json_object_put(answer);
	return err;
}

/* An answer is an array with an object for each CPU (QEMU's QAPI, "CpuInfoFast"). */
static int read_threads(struct json_object *answer, pid_t *threads, unsigned most)
{
	struct json_object *cpus, *index, *thread;
	int n = 0;

	memset(threads, 0, most * sizeof(*threads));
	if (!json_object_object_get_ex(answer, "return", &cpus) ||
	    !json_object_is_type(cpus, json_type_array))
		return -EPROTO;
	for (size_t i = 0; i < json_object_array_length(cpus); i++) {
		struct json_object *cpu = json_object_array_get_idx(cpus, i);

		if (!json_object_object_get_ex(cpu, "cpu-index", &index) ||
		    !json_object_object_get_ex(cpu, "thread-id", &thread))
			return -EPROTO;
		if ((unsigned)json_object_get_int(index) >= most)
			continue;
		threads[json_object_get_int(index)] = json_object_get_int(thread);
		n++;
	}
	for (int i = 0; i < n; i++)
		if (threads[i] <= 0)
			return -EPROTO;
	return n;
}

int qmp_threads(struct qmp *qmp, pid_t *threads, unsigned most, struct reason *why)
{
	struct json_object *answer = ask_and_wait(qmp, "{\"execute\": \"query-cpus-fast\"}\n");
	const int n = answer ? read_threads(answer, threads, most) : -EPIPE;

	json_object_put(answer);
	return n > 0 ? n : refuse(why, EPROTO, "QEMU does not tell the threads of its CPUs");
}

void qmp_end(struct qmp *qmp)
{
	buf_free(&qmp->in);
	qmp->taken = 0;
	qmp->begun = qmp->asked = false;
	qmp->early = 0;
}
