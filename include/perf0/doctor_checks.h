/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * doctor_checks.h - the names of the doctor's checks, in the order in which they run: the host tool
 * refuses another name before it boots. A unit test compares them with the rows of apps/doctor/.
 */
#ifndef PERF0_DOCTOR_CHECKS_H
#define PERF0_DOCTOR_CHECKS_H

/* Calls first() for the first name, and then next() for each other one. */
#define DOCTOR_CHECKS(first, next)                                                                 \
	first("still") next("general") next("fixed") next("cycles") next("rings") next("width")    \
		next("wrap") next("nmi") next("extra") next("skid") next("freeze") next("pebs")    \
			next("ibs-fetch") next("ibs-op") next("ibs-source") next("ibs-slow") next( \
				"lbr") next("pt") next("allowed") next("forbidden")                \
				next("instructions") next("branches") next("loads") next("stores") \
					next("hits") next("misses") next("predicted")              \
						next("mispredicted") next("tsc-hpet")              \
							next("tsc-pm") next("apic-timer")          \
								next("knobs") next("firmware")     \
									next("smi")

#define DOCTOR_CHECK_NAME(name)  name
#define DOCTOR_CHECK_BAR(name)   "|" name
#define DOCTOR_CHECK_COMMA(name) ", " name
#define DOCTOR_CHECKS_BAR        DOCTOR_CHECKS(DOCTOR_CHECK_NAME, DOCTOR_CHECK_BAR)
#define DOCTOR_CHECKS_WHAT \
	"a check of the doctor: " DOCTOR_CHECKS(DOCTOR_CHECK_NAME, DOCTOR_CHECK_COMMA)

#endif
