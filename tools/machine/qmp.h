/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * qmp.h - sends requests to a running QEMU over a socket: save the state, load it,
 * continue. QEMU Machine Protocol Specification, "Protocol Specification". The calls wait up
 * to QMP_PATIENCE_MS for the answer. They return a reason if QEMU ends or stays silent.
 */
#ifndef TOOLS_MACHINE_QMP_H
#define TOOLS_MACHINE_QMP_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "lib/reason.h"
#include "tools/util/buf.h"

#define QMP_PATIENCE_MS 60000

struct qmp {
	int fd;         /* a non-blocking stream socket; struct qemu has it, too, and closes it */
	bool begun;     /* qmp_begin() succeeded */
	bool asked;     /* a question without waiting, whose answer has not been taken */
	unsigned early; /* commands that were sent before the greeting */
	int major;      /* first number of QEMU's version; 0: it does not tell */
	struct buf in;  /* received bytes; those from `taken` on are unread */
	size_t taken;
};

/* qmp_begin() - takes QEMU's greeting and answers it, once. Returns 0, or -E with the reason. */
int qmp_begin(struct qmp *qmp, struct reason *why);

/*
 * qmp_stop() - stops the machine, and its time. qmp_go_on() - lets it run again after a stop or a
 * save.
 */
int qmp_stop(struct qmp *qmp, struct reason *why);
int qmp_go_on(struct qmp *qmp, struct reason *why);

/*
 * qmp_load() - makes a machine that waits for it read its state from the position of `fd`, and
 * waits until it runs. qmp_prepare_load() - sends what this needs while QEMU starts, and is called
 * before qmp_begin(). QEMU reads each byte of a command by itself, so few and short commands count.
 */
int qmp_prepare_load(struct qmp *qmp, struct reason *why);
int qmp_load(struct qmp *qmp, int fd, struct reason *why);

/*
 * qmp_await_stopped() - waits until the machine has stopped itself. -EAGAIN: it did not within
 * about `patience` ms.
 */
int qmp_await_stopped(struct qmp *qmp, unsigned patience, struct reason *why);

/*
 * qmp_save() - writes the state of the machine at the position of `fd`, without the memory that the
 * tool shares. The machine is stopped afterwards.
 */
int qmp_save(struct qmp *qmp, int fd, struct reason *why);

/*
 * qmp_property() - stores the text of an object's property. qmp_monitor() - runs a command of the
 * human monitor. Both return 0, or -E.
 */
int qmp_property(struct qmp *qmp, const char *path, const char *property, char *text, size_t size);
int qmp_monitor(struct qmp *qmp, const char *command);

/*
 * qmp_await_low() - waits until the first CPU executes code below 4 GiB, `patience` ms at most. A
 * guest of vpmu that waits sleeps in vpmu, which is there. The image is above.
 */
void qmp_await_low(struct qmp *qmp, unsigned patience);

/*
 * qmp_time() - returns the machine's clock, in seconds of its own time from an arbitrary moment;
 * -E: QEMU does not tell. The machine spends no time on it. qmp_ask_time() - asks without waiting.
 * qmp_told_time() - takes the answer; -EAGAIN: it has not arrived.
 */
int64_t qmp_time(struct qmp *qmp);
int qmp_ask_time(struct qmp *qmp);
int64_t qmp_told_time(struct qmp *qmp);

/*
 * qmp_word() - stores the 8 bytes at `address` of the machine's physical memory. Returns 0, or -E:
 * QEMU does not tell. qmp_ask_word(), qmp_told_word() - ask without waiting, and take the answer.
 * Only one question may be open at a time.
 */
int qmp_word(struct qmp *qmp, uint64_t address, uint64_t *word);
int qmp_ask_word(struct qmp *qmp, uint64_t address);
int qmp_told_word(struct qmp *qmp, uint64_t *word);

/*
 * qmp_ask_state() - asks without waiting whether the machine runs. qmp_told_failure() - takes the
 * answer: 1: QEMU has stopped the machine for good, for the reason `state`, in QEMU's words
 * ("internal-error"); 0: it has not; -EAGAIN: the answer has not arrived.
 */
#define QMP_STATE_MAX 32
int qmp_ask_state(struct qmp *qmp);
int qmp_told_failure(struct qmp *qmp, char state[QMP_STATE_MAX]);

/*
 * qmp_threads() - stores the host's threads of the machine's CPUs, up to `most`, by their numbers.
 * Returns how many, or -E with the reason.
 */
int qmp_threads(struct qmp *qmp, pid_t *threads, unsigned most, struct reason *why);

/* qmp_end() - frees received bytes; the socket stays open. */
void qmp_end(struct qmp *qmp);

#endif
