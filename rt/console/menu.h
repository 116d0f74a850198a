/* SPDX-License-Identifier: BSD-2-Clause */
/* menu.h - function keys at the prompt: each stands for a line. */
#ifndef RT_CONSOLE_MENU_H
#define RT_CONSOLE_MENU_H

#define MENU_KEYS 12

/* menu_line() - the line of F`n`, n from 1 to MENU_KEYS; NULL: none. Any context. */
const char *menu_line(unsigned n);

/* menu_tell() - prints a line or two about the keys. Task context. */
void menu_tell(void);

#endif
