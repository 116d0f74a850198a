// SPDX-License-Identifier: BSD-2-Clause
/* main.c - contains main() alone, so that tests can link all other files. */
#include "tools/cmd/cli.h"

int main(int argc, char **argv)
{
	return cli_main(argc, argv);
}
