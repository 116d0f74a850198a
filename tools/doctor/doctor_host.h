/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * doctor_host.h - the files that tell about a host: those of this one, or a copy of another one's
 * below a folder.
 */
#ifndef TOOLS_DOCTOR_DOCTOR_HOST_H
#define TOOLS_DOCTOR_DOCTOR_HOST_H

#include <stdbool.h>

#define HOST_TEXT_MAX 128

enum host_vendor { HOST_INTEL, HOST_AMD, HOST_OTHER };

struct host {
	const char *root; /* "": this host */
	enum host_vendor vendor;
	char brand[HOST_TEXT_MAX];
	char kernel[HOST_TEXT_MAX]; /* release; "": not told */
	unsigned version[2];        /* of the kernel: 6, 8 */
	bool has_virtualization;    /* CPUID reports VMX or SVM */
	bool is_guest;              /* CPUID reports a hypervisor */
};

/* host_read() - reads what the other functions do not. `root` is kept. */
void host_read(struct host *host, const char *root);

/* host_has() - whether the file or folder exists. host_may() - whether it can be read and written.
 */
bool host_has(const struct host *host, const char *path);
bool host_may(const struct host *host, const char *path);

/* host_text() - the first line of a file, without its end. False: there is no such file. */
bool host_text(const struct host *host, const char *path, char text[HOST_TEXT_MAX]);

/* host_number() - the same as a number. A file that has none is missing, too. */
bool host_number(const struct host *host, const char *path, long *number);

/* host_is_since() - whether the kernel is of that version or later. */
bool host_is_since(const struct host *host, unsigned major, unsigned minor);

#endif
