// SPDX-License-Identifier: BSD-2-Clause
/* warm.c - see warm.h. */
#include "tools/machine/warm.h"

#include <errno.h>

/*
 * Returns whether the machine may be saved. With KVM it has the clock and the features of its host,
 * so its state is not saved.
 */
static bool find_key(struct warm *warm, const struct warm_machine *machine)
{
	const struct options *options = machine->options;

	if (options->cold)
		refuse(&warm->cold, ECANCELED, "--cold was given");
	else if (options->accel == ACCEL_KVM)
		refuse(&warm->cold, ENOTSUP, "a machine with --accel kvm is not saved");
	else if (!machine->describe(&warm->key, machine->machine, &warm->cold))
		return true;
	warm->key.size = 0;
	return false;
}

/* Loads the state after checking its MAC, while QEMU starts. QEMU sees no byte of it before. */
static int load_state(struct qemu *qemu, const struct cache_file *file, struct reason *why)
{
	int err = cache_is_intact(file) ? 0 : refuse(why, EBADMSG, "the saved machine is damaged");

	if (!err)
		err = qmp_begin(&qemu->qmp, why);
	if (!err)
		err = qmp_load(&qemu->qmp, file->fd, why);
	return err ? err : qmp_await_running(&qemu->qmp, why);
}

static int start_from(struct warm *warm, struct qemu *qemu, const struct warm_machine *machine,
		      struct cache_file *file)
{
	int err = machine->start(qemu, machine->machine, true, &warm->cold);

	if (err)
		return err;
	err = load_state(qemu, file, &warm->cold);
	if (err) {
		qemu_end(qemu, false);
		cache_remove(buf_text(&warm->key));
		return err;
	}
	buf_add(&warm->said, file->said.data, file->said.size);
	return 0;
}

static int restore_machine(struct warm *warm, struct qemu *qemu, const struct warm_machine *machine)
{
	struct cache_file file;
	int err;

	if (!find_key(warm, machine))
		return -ENOENT;
	err = cache_open(&file, buf_text(&warm->key), &warm->cold);
	if (err)
		return err;
	err = start_from(warm, qemu, machine, &file);
	cache_close(&file);
	return err;
}

/* Returns whether the error is reported without --verbose: a file, a folder or the key is wrong. */
static bool is_always_told(int err)
{
	return err == -EPERM || err == -EBADMSG || err == -EINVAL;
}

int warm_start(struct warm *warm, struct qemu *qemu, const struct warm_machine *machine,
	       struct reason *why)
{
	const int err = restore_machine(warm, qemu, machine);

	warm->tells = machine->options->verbose || is_always_told(err) ? machine->tells : NULL;
	warm->is_restored = !err;
	if (!err)
		return 0;
	if (warm->tells)
		console_say(warm->tells, "a cold start: %s", warm->cold.text);
	return machine->start(qemu, machine->machine, false, why);
}

void warm_said(struct warm *warm, const void *bytes, size_t n)
{
	if (!cache_has_room(warm->said.size, n)) {
		refuse(&warm->unsaved, EFBIG, "the machine says too much while it starts");
		warm->key.size = 0;
		return;
	}
	buf_add(&warm->said, bytes, n);
}

static int save_machine(struct warm *warm, struct qemu *qemu, struct reason *why)
{
	struct cache_file file;
	int err;

	if (cache_create(&file, buf_text(&warm->key), &warm->said, &warm->unsaved))
		return 0;
	err = qmp_begin(&qemu->qmp, why);
	if (!err && !qmp_save(&qemu->qmp, file.fd, &warm->unsaved))
		cache_keep(&file, buf_text(&warm->key), &warm->unsaved);
	if (!err)
		err = qmp_go_on(&qemu->qmp, why);
	cache_close(&file);
	return err;
}

int warm_save(struct warm *warm, struct qemu *qemu, struct reason *why)
{
	int err = 0;

	if (!warm->is_restored && warm->key.size)
		err = save_machine(warm, qemu, why);
	if (!err && warm->tells && warm->unsaved.text[0])
		console_say(warm->tells, "not saved for the next start: %s", warm->unsaved.text);
	return err;
}

void warm_end(struct warm *warm)
{
	buf_free(&warm->key);
	buf_free(&warm->said);
}
