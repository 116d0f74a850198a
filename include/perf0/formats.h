/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * formats.h - the versions of all formats by which two programs of perf0 speak with each other, or
 * which a file keeps. Each changes by itself, and only when an older reader would misunderstand;
 * CONTRIBUTING.md has the rule. `perf0 version -v` prints those of FORMAT_ROWS.
 */
#ifndef PERF0_FORMATS_H
#define PERF0_FORMATS_H

/* Files and streams that people keep. */
#define WIRE_VERSION      1 /* frames of the image: docs/WIRE.md */
#define BASELINE_VERSION  2 /* results of the gate: tools/gate/gate_results.h */
#define GATE_JSON_VERSION 1 /* `gate --json`: docs/GATE.md */
#define MACHINE_VERSION   3 /* saved machines: tools/saved/cache.c */

/* Memory and files between programs of one build. */
#define SHARED_VERSION      1 /* the image and the tool: shared.h */
#define EVENTS_PAGE_VERSION 9 /* vpmu and the plugin: events_page.h */
#define PROFILE_VERSION     1 /* the plugin and the tool: profile_file.h */
#define BENCH_VERSION       3 /* the image and a benchmark's program: bench.h */

/* QEMU's interface of plugins. */
#define PLUGIN_API_PLAIN    1 /* QEMU 7.2: additions to an address */
#define PLUGIN_API_PER_VCPU 2 /* QEMU 9.0: additions by vCPU */
#define PLUGIN_API_COPIES   3 /* QEMU 9.1: qemu_plugin_insn_data() copies */

#define FORMAT_ROWS(FORMAT)                      \
	FORMAT("wire", WIRE_VERSION)             \
	FORMAT("baseline", BASELINE_VERSION)     \
	FORMAT("gate --json", GATE_JSON_VERSION) \
	FORMAT("saved machine", MACHINE_VERSION) \
	FORMAT("events page", EVENTS_PAGE_VERSION)

#endif
