// SPDX-License-Identifier: BSD-2-Clause
/* warm.c - see warm.h. */
#include "tools/machine/warm.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tools/saved/cache.h"
#include "tools/saved/trust.h"
#include "tools/util/message.h"

#define SLEEPS_MS 500 /* wait for the image to fall asleep after it said that it waits */

/* With KVM a machine has the clock and the features of its host, so its state is not saved. */
static int check_may_save(const struct machine_options *options, struct reason *why)
{
	if (options->cold)
		return refuse(why, ECANCELED, "--cold was given");
	if (options->accel == ACCEL_KVM)
		return refuse(why, ENOTSUP, "a machine with --accel kvm is not saved");
	return 0;
}

void warm_create_memory(struct warm *warm, struct saved_memory *memory,
			const struct machine_options *options, uint32_t mib)
{
	struct reason ignored;

	*memory = (struct saved_memory){.fd = -1};
	if (!check_may_save(options, &ignored) && cache_is_wanted())
		memory_create(memory, "perf0-memory", (uint64_t)mib << 20, &warm->unsaved);
}

void warm_add_memory(struct warm_machine *machine, int fd, uint64_t bytes, const char *device)
{
	if (fd >= 0)
		machine->memories[machine->nmemories++] = (struct saved_memory){fd, bytes, device};
}

/* Fills the memories from number `from` to before `to`. */
static int put_memories(const struct saved_pages *pages, const struct warm_machine *machine,
			size_t from, size_t to, struct reason *why)
{
	int err = 0;

	for (size_t i = from; i < to && !err; i++)
		err = pages_put(pages, machine->memories, i, why);
	return err;
}

/*
 * Loads the state after checking its MAC. QEMU sees no byte of it before. Both the check and the
 * copy of the machine's memory run while QEMU starts. The devices' memories come when QEMU has
 * started, because it writes to them.
 */
static int load_state(struct qemu *qemu, const struct warm_machine *machine,
		      struct cache_file *file, struct reason *why)
{
	struct saved_pages pages;
	int err = qmp_prepare_load(&qemu->qmp, why);
	const void *state = err ? NULL : cache_read(file);

	if (!err && !state)
		err = refuse(why, EBADMSG, "the saved machine is damaged");
	if (!err)
		err = pages_find(&pages, state, file->state_bytes, machine->memories,
				 machine->nmemories, why);
	if (!err)
		err = put_memories(&pages, machine, 0, 1, why);
	if (!err)
		err = qmp_begin(&qemu->qmp, why);
	if (!err)
		err = put_memories(&pages, machine, 1, machine->nmemories, why);
	return err ? err : qmp_load(&qemu->qmp, file->fd, why);
}

static int start_from(struct qemu *qemu, const struct warm_machine *machine, const char *key,
		      struct cache_file *file, struct reason *why)
{
	int err = machine->start(qemu, machine->machine, true, why);

	if (err)
		return err;
	err = load_state(qemu, machine, file, why);
	if (err) {
		qemu_end(qemu, false);
		cache_remove(key);
	}
	return err;
}

static int restore_level(struct warm *warm, struct qemu *qemu, const struct warm_machine *machine,
			 enum warm_level level, struct reason *why)
{
	struct buf *key = &warm->key[level];
	struct cache_file file;
	int err;

	if (machine->describe(key, level, machine->machine, why)) {
		key->size = 0;
		return -ENOENT;
	}
	err = cache_open(&file, buf_text(key), why);
	if (err)
		return err;
	err = start_from(qemu, machine, buf_text(key), &file, why);
	if (!err) {
		warm->restored = level;
		buf_add(&warm->said, file.said.data, file.said.size);
	}
	cache_close(&file);
	return err;
}

/* Returns whether the error is reported without --verbose: a file, a folder or the key is wrong. */
static bool is_always_told(int err)
{
	return err == -EPERM || err == -EBADMSG || err == -EINVAL;
}

/*
 * Restores the latest level that is saved. Returns 0 if that is the last one. Otherwise returns the
 * first error that is always reported, or else the first one, with its reason.
 */
static int restore_machine(struct warm *warm, struct qemu *qemu, const struct warm_machine *machine)
{
	int first = check_may_save(machine->options, &warm->cold);

	if (first)
		return first;
	for (enum warm_level level = WARM_LEVELS - 1; level && !warm->restored; level--) {
		struct reason why;
		int err;

		if (!machine->waits[level])
			continue;
		err = restore_level(warm, qemu, machine, level, &why);
		if (err && (!first || (is_always_told(err) && !is_always_told(first)))) {
			first = err;
			warm->cold = why;
		}
	}
	return first;
}

/* Returns whether the variable has an absolute path. */
static bool has_path(const char *variable)
{
	const char *path = getenv(variable);

	return path && *path == '/';
}

/* Checks the places of saved machines and of their key. `mend` names the variables that mend it. */
static int check_cache_places(const struct machine_options *options, const char **mend,
			      struct reason *why)
{
	const char *key = getenv(TRUST_KEY_VARIABLE);
	const bool has_key = key && *key;
	struct trust_key ignored;
	int err;

	if (check_may_save(options, why) || !cache_is_wanted())
		return 0;
	*mend = has_path("HOME") || has_key ? "XDG_CACHE_HOME"
					    : "XDG_CACHE_HOME and XDG_STATE_HOME";
	err = cache_check(why);
	if (err)
		return err;
	*mend = "XDG_STATE_HOME";
	return trust_find_key(&ignored, why);
}

void warm_tell_unsaved(const struct machine_options *options)
{
	const char *mend;
	struct reason why;
	const int err = check_cache_places(options, &mend, &why);

	if (err && !is_always_told(err))
		message("perf0: no cache: %s; each run boots a machine anew: set %s", why.text,
			mend);
}

static enum warm_level last_wait(const struct warm_machine *machine)
{
	return machine->waits[WARM_IMAGE] ? WARM_IMAGE : WARM_FIRMWARE;
}

int warm_start(struct warm *warm, struct qemu *qemu, const struct warm_machine *machine,
	       struct reason *why)
{
	const int err = restore_machine(warm, qemu, machine);

	warm->last = last_wait(machine);
	memcpy(warm->memories, machine->memories, sizeof(warm->memories));
	warm->nmemories = machine->nmemories;
	warm->tells = machine->verbose || is_always_told(err) ? machine->tells : NULL;
	if (err && warm->tells)
		console_say(warm->tells, "a %s: %s",
			    warm->restored ? "start from the saved firmware" : "cold start",
			    warm->cold.text);
	return warm->restored ? 0 : machine->start(qemu, machine->machine, false, why);
}

void warm_said(struct warm *warm, const void *bytes, size_t n)
{
	if (!cache_has_room(warm->said.size, n)) {
		refuse(&warm->unsaved, EFBIG, "the machine says too much while it starts");
		for (enum warm_level level = WARM_NONE; level < WARM_LEVELS; level++)
			warm->key[level].size = 0;
		return;
	}
	buf_add(&warm->said, bytes, n);
}

static int save_machine(struct warm *warm, struct qemu *qemu, const char *key, struct reason *why)
{
	struct cache_file file;
	int err;

	if (cache_create(&file, key, &warm->said, &warm->unsaved))
		return 0;
	warm->unsaved.text[0] = '\0';
	err = qmp_begin(&qemu->qmp, why);
	/* QEMU does not load a CPU that was saved in a guest of SVM. */
	if (!err)
		qmp_await_low(&qemu->qmp, SLEEPS_MS);
	if (!err && !qmp_save(&qemu->qmp, file.fd, &warm->unsaved) &&
	    !pages_save(file.fd, file.state_at, warm->memories, warm->nmemories, &warm->unsaved))
		cache_keep(&file, key, &warm->unsaved);
	if (!err)
		err = qmp_go_on(&qemu->qmp, why);
	cache_close(&file);
	return err;
}

int warm_save(struct warm *warm, struct qemu *qemu, enum warm_level level, struct reason *why)
{
	struct buf *key = &warm->key[level];
	int err = 0;

	if (level > warm->restored && key->size)
		err = save_machine(warm, qemu, buf_text(key), why);
	if (!err && level == warm->last && warm->tells && warm->unsaved.text[0])
		console_say(warm->tells, "not saved for the next start: %s", warm->unsaved.text);
	return err;
}

void warm_end(struct warm *warm)
{
	for (enum warm_level level = WARM_NONE; level < WARM_LEVELS; level++)
		buf_free(&warm->key[level]);
	buf_free(&warm->said);
}
