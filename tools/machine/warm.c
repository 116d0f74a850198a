// SPDX-License-Identifier: BSD-2-Clause
/* warm.c - see warm.h. */
#include "tools/machine/warm.h"

#include <errno.h>

/* A machine with KVM has the clock and the features of its host: that is no state to come back to.
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

/* While QEMU starts, the tool reads the file, too. */
static int await_restored(struct qemu *qemu, const struct cache_file *file, struct reason *why)
{
	int err = cache_is_intact(file) ? 0 : refuse(why, EBADMSG, "the saved machine is damaged");

	if (!err)
		err = qmp_begin(&qemu->qmp, why);
	return err ? err : qmp_await_running(&qemu->qmp, why);
}

static bool start_from(struct warm *warm, struct qemu *qemu, const struct warm_machine *machine,
		       struct cache_file *file)
{
	if (machine->start(qemu, machine->machine, file->fd, &warm->cold))
		return false;
	if (await_restored(qemu, file, &warm->cold)) {
		qemu_end(qemu, false);
		cache_remove(buf_text(&warm->key));
		return false;
	}
	buf_add(&warm->said, file->said.data, file->said.size);
	return true;
}

static bool restore_machine(struct warm *warm, struct qemu *qemu,
			    const struct warm_machine *machine)
{
	struct cache_file file;
	bool started;

	if (!find_key(warm, machine))
		return false;
	if (cache_open(&file, buf_text(&warm->key), &warm->cold))
		return false;
	started = start_from(warm, qemu, machine, &file);
	cache_close(&file);
	return started;
}

int warm_start(struct warm *warm, struct qemu *qemu, const struct warm_machine *machine,
	       struct reason *why)
{
	warm->tells = machine->options->verbose ? machine->tells : NULL;
	warm->is_restored = restore_machine(warm, qemu, machine);
	if (warm->is_restored)
		return 0;
	if (warm->tells)
		console_say(warm->tells, "a cold start: %s", warm->cold.text);
	return machine->start(qemu, machine->machine, -1, why);
}

void warm_said(struct warm *warm, const void *bytes, size_t n)
{
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
