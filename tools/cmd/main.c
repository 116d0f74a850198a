// SPDX-License-Identifier: BSD-2-Clause
/* main.c - nothing but main(), so that tests can link all the rest. */
#include "tools/cmd/cli.h"

int main(int argc, char **argv)
{
	return cli_main(argc, argv);
}
