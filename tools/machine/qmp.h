/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * qmp.h - what the tool asks of a QEMU that runs, over a socket of its own: to save its state, to
 * go on, to say when a state is loaded. QEMU Machine Protocol Specification, "Protocol
 * Specification".
 *
 * The calls wait for the answer, up to QMP_PATIENCE_MS; a QEMU that ends, or says nothing, is told
 * as a reason, not waited for.
 */
#ifndef TOOLS_MACHINE_QMP_H
#define TOOLS_MACHINE_QMP_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/reason.h"
#include "tools/util/buf.h"

#define QMP_PATIENCE_MS 60000

struct qmp {
	int fd;        /* a stream socket, non-blocking; QEMU's struct has it, too, and closes it */
	bool begun;    /* qmp_begin() succeeded */
	bool asked;    /* without waiting, and the answer has not been taken */
	struct buf in; /* that came, from `taken` on not yet looked at */
	size_t taken;
};

/* qmp_begin() - takes QEMU's greeting, and agrees; once. Returns 0, or -E with the reason. */
int qmp_begin(struct qmp *qmp, struct reason *why);

/* qmp_await_running() - waits until the machine runs: a state that was to be loaded is. */
int qmp_await_running(struct qmp *qmp, struct reason *why);

/* qmp_stop() - the machine stands still, and so does its time. qmp_go_on(): it runs again, after
 * this or because it was saved. */
int qmp_stop(struct qmp *qmp, struct reason *why);
int qmp_go_on(struct qmp *qmp, struct reason *why);

/* qmp_load() - has a machine that waits for it read its state from `fd`, from where that is.
 * qmp_await_running() tells when it is loaded. */
int qmp_load(struct qmp *qmp, int fd, struct reason *why);

/* qmp_await_stopped() - waits until the machine has stopped itself. -EAGAIN: not within about
 * `patience` ms. */
int qmp_await_stopped(struct qmp *qmp, unsigned patience, struct reason *why);

/* qmp_save() - writes the state of the machine to `fd`, from where that is. The machine is stopped
 * then. */
int qmp_save(struct qmp *qmp, int fd, struct reason *why);

/*
 * qmp_time() - the machine's clock, in seconds of its own time from some moment on; -E: it is not
 * told. It costs the machine nothing. qmp_ask_time() asks for it without waiting, and
 * qmp_told_time() looks whether the answer has come: -EAGAIN: not yet.
 */
int64_t qmp_time(struct qmp *qmp);
int qmp_ask_time(struct qmp *qmp);
int64_t qmp_told_time(struct qmp *qmp);

/*
 * qmp_word() - the 8 bytes at `address` of the machine's physical memory. 0, or -E: they are not
 * told. qmp_ask_word(), qmp_told_word(): as for the time. One question is asked at a time.
 */
int qmp_word(struct qmp *qmp, uint64_t address, uint64_t *word);
int qmp_ask_word(struct qmp *qmp, uint64_t address);
int qmp_told_word(struct qmp *qmp, uint64_t *word);

/* qmp_end() - frees what came; the socket stays open. */
void qmp_end(struct qmp *qmp);

#endif
