/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * perf_option_rows.h - options of perf stat and perf record that perf0 lacks, each with the reason.
 * A file that includes this one defines PERF_OPTION(takers, letter, name, reason) first. Rows of
 * option_rows.h take precedence.
 */
#ifndef PERF_OPTION
#define PERF_OPTION(...)
#endif
// clang-format off
#define ALONE       "the machine runs the workload and nothing else"
#define NO_CONTROL  "no pipe leads into the machine; -D delays, ^C and --timeout end"
#define NO_GROUP    "a group is written -e '{a,b}'"
#define NO_METRICS  "metrics are told beside the counts that they are made of; -x and -j are for programs"
#define NO_PLACES   "packages are told apart, but neither their dies nor nodes; there are --per-socket and --per-core"
#define NO_SHELL    "there is no shell on the machine; `perf0 run -- stat ... \\; stat ...` runs one command after another"
#define NO_HYBRID   "a PMU's name says which cores count: cpu_core/.../, cpu_atom/.../"
#define NO_MERGING  "the counts of each PMU have a line of their own"
#define NO_CACHE    "build ids stand in the recording, and are cached nowhere"
#define NO_KERNEL   "no Linux runs on the machine"
#define NO_WRITER   "it tunes the process that writes beside the workload, and here nothing runs beside it"
#define NO_SPLITS   "a recording is one file; --max-size bounds it, --overwrite keeps the newest of it"
#define NO_SYMBOLS  "symbols come from the image's ELF file, which the tool finds by itself"
#define NO_CHAINS   "-g takes both; with events :u or :k, or with --all-user or --all-kernel, only one is there"

PERF_OPTION(IMAGE_STAT | IMAGE_RECORD, 'p', "pid", ALONE)
PERF_OPTION(IMAGE_STAT | IMAGE_RECORD, 't', "tid", ALONE)
PERF_OPTION(IMAGE_STAT | IMAGE_RECORD, 0, "control", NO_CONTROL)

PERF_OPTION(IMAGE_STAT, 'g', "group", NO_GROUP)
PERF_OPTION(IMAGE_STAT, 'S', "sync", "there is no file system to write back")
PERF_OPTION(IMAGE_STAT, 'T', "transaction", "no set of events is made up for transactions; -e names them")
PERF_OPTION(IMAGE_STAT, 0, "cputype", NO_HYBRID)
PERF_OPTION(IMAGE_STAT, 0, "hybrid-merge", NO_HYBRID)
PERF_OPTION(IMAGE_STAT, 0, "interval-clear", "what the machine prints may not steer a terminal")
PERF_OPTION(IMAGE_STAT, 0, "iostat", "PCIe root ports have no events here")
PERF_OPTION(IMAGE_STAT, 0, "log-fd", "-o FILE, or the shell, says where the table goes")
PERF_OPTION(IMAGE_STAT, 0, "metric-no-merge", "--metric-no-group counts each event by itself")
PERF_OPTION(IMAGE_STAT, 0, "metric-only", NO_METRICS)
PERF_OPTION(IMAGE_STAT, 0, "no-csv-summary", "rows of --summary always begin with that word")
PERF_OPTION(IMAGE_STAT, 0, "no-merge", NO_MERGING)
PERF_OPTION(IMAGE_STAT, 0, "per-die", NO_PLACES)
PERF_OPTION(IMAGE_STAT, 0, "per-node", NO_PLACES)
PERF_OPTION(IMAGE_STAT, 0, "percore-show-thread", "no event adds up hyper-threads; --per-core adds up the CPUs of a core")
PERF_OPTION(IMAGE_STAT, 0, "post", NO_SHELL)
PERF_OPTION(IMAGE_STAT, 0, "pre", NO_SHELL)
PERF_OPTION(IMAGE_STAT, 0, "smi-cost", "no set of events is made up for it; -e msr/smi/,msr/aperf/ names some")

PERF_OPTION(IMAGE_RECORD, 'B', "no-buildid", NO_CACHE)
PERF_OPTION(IMAGE_RECORD, 'n', "no-samples", "`perf0 stat` counts without samples")
PERF_OPTION(IMAGE_RECORD, 'r', "realtime", ALONE)
PERF_OPTION(IMAGE_RECORD, 'u', "uid", "there are no users")
PERF_OPTION(IMAGE_RECORD, 'z', "compression-level", "records are packed for the line, and a file has them as they are")
PERF_OPTION(IMAGE_RECORD, 0, "affinity", NO_WRITER)
PERF_OPTION(IMAGE_RECORD, 0, "aio", NO_WRITER)
PERF_OPTION(IMAGE_RECORD, 0, "all-cgroups", "samples do not tell the cgroup of their task; -G chooses those of one")
PERF_OPTION(IMAGE_RECORD, 0, "aux-sample", "a trace goes into its own area, not into samples")
PERF_OPTION(IMAGE_RECORD, 0, "buildid-all", NO_CACHE)
PERF_OPTION(IMAGE_RECORD, 0, "buildid-mmap", NO_CACHE)
PERF_OPTION(IMAGE_RECORD, 0, "clang-opt", NO_KERNEL)
PERF_OPTION(IMAGE_RECORD, 0, "clang-path", NO_KERNEL)
PERF_OPTION(IMAGE_RECORD, 0, "debuginfod", NO_SYMBOLS)
PERF_OPTION(IMAGE_RECORD, 0, "dry-run", "what is wrong on a command line is told before a machine is started")
PERF_OPTION(IMAGE_RECORD, 0, "exclude-perf", ALONE)
PERF_OPTION(IMAGE_RECORD, 0, "group", NO_GROUP)
PERF_OPTION(IMAGE_RECORD, 0, "kcore", NO_KERNEL)
PERF_OPTION(IMAGE_RECORD, 0, "kernel-callchains", NO_CHAINS)
PERF_OPTION(IMAGE_RECORD, 0, "mmap-flush", NO_WRITER)
PERF_OPTION(IMAGE_RECORD, 0, "namespaces", NO_KERNEL)
PERF_OPTION(IMAGE_RECORD, 0, "no-bpf-event", NO_KERNEL)
PERF_OPTION(IMAGE_RECORD, 0, "no-buffering", "--live sends samples at once")
PERF_OPTION(IMAGE_RECORD, 0, "num-thread-synthesize", NO_WRITER)
PERF_OPTION(IMAGE_RECORD, 0, "off-cpu", NO_KERNEL)
PERF_OPTION(IMAGE_RECORD, 0, "proc-map-timeout", NO_KERNEL)
PERF_OPTION(IMAGE_RECORD, 0, "sample-identifier", "each sample has it already")
PERF_OPTION(IMAGE_RECORD, 0, "switch-max-files", NO_SPLITS)
PERF_OPTION(IMAGE_RECORD, 0, "switch-output", NO_SPLITS)
PERF_OPTION(IMAGE_RECORD, 0, "switch-output-event", NO_SPLITS)
PERF_OPTION(IMAGE_RECORD, 0, "threads", NO_WRITER)
PERF_OPTION(IMAGE_RECORD, 0, "timestamp-filename", "-o names the file")
PERF_OPTION(IMAGE_RECORD, 0, "transaction", "samples have no flags of transactions")
PERF_OPTION(IMAGE_RECORD, 0, "user-callchains", NO_CHAINS)
PERF_OPTION(IMAGE_RECORD, 0, "vmlinux", NO_SYMBOLS)

#undef ALONE
#undef NO_CONTROL
#undef NO_GROUP
#undef NO_METRICS
/* Options of nanoBench. */
PERF_OPTION(IMAGE_BENCH, 0, "msr-config", "counters that RDPMC does not read are no affair of an instruction's; `stat -e` counts uncore, msr and power events by name")
PERF_OPTION(IMAGE_BENCH, 0, "debug", "no debugger is on the machine; what an instruction raises is told with its byte")

#undef NO_PLACES
#undef NO_SHELL
#undef NO_HYBRID
#undef NO_MERGING
#undef NO_CACHE
#undef NO_KERNEL
#undef NO_WRITER
#undef NO_SPLITS
#undef NO_SYMBOLS
#undef NO_CHAINS
// clang-format on
#undef PERF_OPTION
