/* SPDX-License-Identifier: BSD-2-Clause */
/* menu.h - what there is at the prompt without typing: each of the function keys is a line. */
#ifndef RT_CONSOLE_MENU_H
#define RT_CONSOLE_MENU_H

#define MENU_KEYS 12

/* menu_line() - what F`n` stands for, n from 1 to MENU_KEYS; NULL: nothing. Any context. */
const char *menu_line(unsigned n);

/* menu_tell() - one line that says what they are. Task context. */
void menu_tell(void);

#endif
