/* SPDX-License-Identifier: BSD-2-Clause */
/* nodes_text.h - the nodes of memory, as `machine` and `caps` tell them. Task context. */
#ifndef APPS_MEASURE_NODES_TEXT_H
#define APPS_MEASURE_NODES_TEXT_H

/* nodes_print() - a line for each, nothing where there is one; nodes_print_json() - a member
 * `nodes` of an object, without what separates members. */
void nodes_print(void);
void nodes_print_json(void);

#endif
