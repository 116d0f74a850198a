/* SPDX-License-Identifier: BSD-2-Clause */
/* doctor_kvm.h - `perf0 doctor --kvm`: whether guests of KVM can count on this host. */
#ifndef TOOLS_DOCTOR_DOCTOR_KVM_H
#define TOOLS_DOCTOR_DOCTOR_KVM_H

#include "tools/doctor/doctor_said.h"

/*
 * doctor_kvm() - prints a line for each check of the host whose files are below `root`; "": this
 * host. It adds them to `list`. A line that is not fine is followed by the command that mends it.
 * Returns 0 if guests of KVM can count there, or STATUS_FAILED.
 */
int doctor_kvm(struct said_list *list, const char *root);

#endif
