/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hang_notes.h - notes on the volume that the image came from, about what runs at the moment. If
 * the machine hangs, the note is found at the next start, and its step is skipped on machines of
 * that name from then on. Without such a volume there are no notes. Task context on the boot CPU;
 * no timer is armed.
 */
#ifndef RT_CONSOLE_HANG_NOTES_H
#define RT_CONSOLE_HANG_NOTES_H

#include <stdbool.h>

#define HANG_NOTE_MOST 160
#define HANG_LIST_MOST 4096

struct hang_notes {
	const char *now;  /* the file with the note of the step that runs */
	const char *hung; /* the file with the list of those that hung */
	char note[HANG_NOTE_MOST], list[HANG_LIST_MOST + 1];
};

/*
 * hang_notes_read() - a note that is there is added to the list. hang_notes_begin() - a step
 * begins; false: it hung at an earlier start, and has no note now. hang_notes_end() - removes the
 * note.
 */
void hang_notes_read(struct hang_notes *h);
bool hang_notes_begin(struct hang_notes *h, const char *step);
void hang_notes_end(const struct hang_notes *h);

#endif
