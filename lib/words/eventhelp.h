/* SPDX-License-Identifier: BSD-2-Clause */
/* eventhelp.h - the text of `help events`, in the image and in the host tool. */
#ifndef LIB_WORDS_EVENTHELP_H
#define LIB_WORDS_EVENTHELP_H

/* help_of_events - the lines; pmu/names/parse.h has the whole grammar. */
extern const char help_of_events[];

#endif
