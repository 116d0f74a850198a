// SPDX-License-Identifier: BSD-2-Clause
/* file_host.c - see file_host.h. */
#include "linux/file/file_host.h"

struct file_host file_host;
