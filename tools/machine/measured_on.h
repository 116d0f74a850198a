/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * measured_on.h - tells what counts depend on beside the program itself: the personality, what
 * vpmu's events count, QEMU, the plugin, the machine, and the libraries by their build-ids.
 */
#ifndef TOOLS_MACHINE_MEASURED_ON_H
#define TOOLS_MACHINE_MEASURED_ON_H

#include "tools/machine/line_programs.h"
#include "tools/options/tool_options.h"
#include "tools/util/buf.h"

/*
 * measured_on_text() - appends a line for people, without its end. measured_on_json() - appends the
 * same as an object. `memory` is in MiB; `programs` bring the libraries. measured_on_object() -
 * appends the value of that object alone, without libraries.
 */
void measured_on_text(struct buf *out, const struct options *options, uint32_t memory,
		      const struct programs *programs);
void measured_on_json(struct buf *out, const struct options *options, uint32_t memory,
		      const struct programs *programs);
void measured_on_object(struct buf *out, const struct options *options, uint32_t memory);

#endif
