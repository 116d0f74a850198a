/* SPDX-License-Identifier: BSD-2-Clause */
/* eventhelp.h - what `help events` prints, in the image and in the host tool. */
#ifndef LIB_WORDS_EVENTHELP_H
#define LIB_WORDS_EVENTHELP_H

/* help_of_events - lines of text; pmu/names/parse.h has the whole grammar. */
extern const char help_of_events[];

#endif
