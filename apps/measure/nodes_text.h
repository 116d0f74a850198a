/* SPDX-License-Identifier: BSD-2-Clause */
/* nodes_text.h - the nodes of memory in the output of `machine` and `caps`. Task context. */
#ifndef APPS_MEASURE_NODES_TEXT_H
#define APPS_MEASURE_NODES_TEXT_H

/* nodes_print() - a line for each node, nothing where there is only one. nodes_print_json() - a
 * member `nodes` of an object, without separators. */
void nodes_print(void);
void nodes_print_json(void);

#endif
