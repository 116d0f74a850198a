/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * option_pair_rows.h - options of one command that cannot be given together, and those that are
 * nothing without another: to be included with OPTION_APART(id, id, reason) and OPTION_NEEDS(id,
 * id, other id that does as well, reason) defined.
 */
#ifndef OPTION_APART
#define OPTION_APART(...)
#endif
#ifndef OPTION_NEEDS
#define OPTION_NEEDS(...)
#endif
// clang-format off
#define ONE_AGGREGATION "--no-aggr, --per-core and --per-socket exclude one another"
#define OF_CPUS(name)   "--" name " is for events of CPUs: with -a or -C"
#define OF_TASK(name)   "--" name " is for the workload's own events, not for those of a CPU"
#define FOR_PEOPLE      "--big-num is for people, not for --field-separator and --json-output"
#define NOTHING         "--null counts nothing: it is without -e, -d, -I, -a, -C, --passes and --no-mux"

OPTION_APART(STAT_JSON, SEPARATOR, "--field-separator has no meaning with --json-output")
OPTION_APART(PASSES, STAT_POLICY, "--policy has no meaning with --passes")
OPTION_APART(PASSES, MUX_INTERVAL, "--mux-interval-us has no meaning with --passes")
OPTION_APART(PASSES, ALL_CPUS, OF_TASK("passes"))
OPTION_APART(PASSES, CPUS, OF_TASK("passes"))
OPTION_APART(NO_MUX, ALL_CPUS, OF_TASK("no-mux"))
OPTION_APART(NO_MUX, CPUS, OF_TASK("no-mux"))
OPTION_APART(NO_AGGR, PER_CORE, ONE_AGGREGATION)
OPTION_APART(NO_AGGR, PER_SOCKET, ONE_AGGREGATION)
OPTION_APART(PER_CORE, PER_SOCKET, ONE_AGGREGATION)
OPTION_NEEDS(NO_AGGR, ALL_CPUS, CPUS, OF_CPUS("no-aggr"))
OPTION_NEEDS(PER_CORE, ALL_CPUS, CPUS, OF_CPUS("per-core"))
OPTION_NEEDS(PER_SOCKET, ALL_CPUS, CPUS, OF_CPUS("per-socket"))
OPTION_APART(ALL_USER, ALL_KERNEL, "--all-user and --all-kernel exclude one another")
OPTION_APART(BIG_NUM, NO_BIG_NUM, "--big-num and --no-big-num exclude one another")
OPTION_APART(BIG_NUM, SEPARATOR, FOR_PEOPLE)
OPTION_APART(BIG_NUM, STAT_JSON, FOR_PEOPLE)
OPTION_APART(INTERVAL, REPEAT, "-I tells one run as it goes on, and -r what several have in common")
OPTION_APART(INTERVAL, PASSES, "-I tells one run as it goes on, and --passes measures in several")
OPTION_NEEDS(INTERVAL_COUNT, INTERVAL, INTERVAL, "--interval-count is for -I")
OPTION_NEEDS(SUMMARY, INTERVAL, INTERVAL, "--summary is for -I")
OPTION_APART(TABLE, PASSES, "--table has no meaning with --passes")
OPTION_APART(TABLE, SEPARATOR, "--table has no meaning with --field-separator")
OPTION_APART(TABLE, STAT_JSON, "--table has no meaning with --json-output")
OPTION_NEEDS(TABLE, REPEAT, REPEAT, "--table is of several runs: with -r")
OPTION_APART(NULL_RUN, EVENT, NOTHING)
OPTION_APART(NULL_RUN, DETAILED, NOTHING)
OPTION_APART(NULL_RUN, INTERVAL, NOTHING)
OPTION_APART(NULL_RUN, ALL_CPUS, NOTHING)
OPTION_APART(NULL_RUN, CPUS, NOTHING)
OPTION_APART(NULL_RUN, PASSES, NOTHING)
OPTION_APART(NULL_RUN, NO_MUX, NOTHING)
OPTION_APART(OVERWRITE, LIVE, "--overwrite has no meaning with --live")
OPTION_APART(QUIET, RECORD_VERBOSE, "--quiet and --verbose exclude one another")
OPTION_APART(STAT_QUIET, STAT_VERBOSE, "--quiet and --verbose exclude one another")

#undef ONE_AGGREGATION
#undef OF_CPUS
#undef OF_TASK
#undef FOR_PEOPLE
#undef NOTHING
// clang-format on
#undef OPTION_APART
#undef OPTION_NEEDS
