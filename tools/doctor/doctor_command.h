/* SPDX-License-Identifier: BSD-2-Clause */
/* doctor_command.h - the command `doctor`. */
#ifndef TOOLS_DOCTOR_DOCTOR_COMMAND_H
#define TOOLS_DOCTOR_DOCTOR_COMMAND_H

/* doctor_command() - runs `doctor`, which parses its own options; words[0] is its name. */
int doctor_command(const char **words);

#endif
