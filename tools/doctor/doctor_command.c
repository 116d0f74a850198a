// SPDX-License-Identifier: BSD-2-Clause
/* doctor_command.c - see doctor_command.h. */
#include "tools/doctor/doctor_command.h"

#include <errno.h>
#include <stdbool.h>

#include "tools/doctor/doctor_kvm.h"
#include "tools/options/offline.h"
#include "tools/util/message.h"
#include "tools/util/status.h"

int doctor_command(const char **words)
{
	struct {
		bool kvm;
		const char *root;
	} o = {.root = ""};
	const struct option_target targets[] = {{OPT_DOCTOR_KVM, &o.kvm},
						{OPT_DOCTOR_ROOT, &o.root}};
	struct reason why;
	int err = offline_options_read(TAKER_DOCTOR, &OPTION_TARGETS(targets), words + 1, &why);

	if (!err && !o.kvm)
		err = refuse(&why, EINVAL, "--kvm is needed: it says what is examined");
	if (!err)
		return doctor_kvm(o.root);
	message("perf0 doctor: %s", why.text);
	return STATUS_USAGE;
}
