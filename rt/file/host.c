// SPDX-License-Identifier: BSD-2-Clause
/* host.c - see host.h. */
#include "rt/file/host.h"

struct file_host file_host;
