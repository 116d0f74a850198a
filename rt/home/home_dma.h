/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * home_dma.h - devices that Linux has left with the right to write to memory (DMA): what they write
 * disturbs a measurement.
 */
#ifndef RT_HOME_HOME_DMA_H
#define RT_HOME_HOME_DMA_H

#include <stdbool.h>

/*
 * home_dma_tell() - prints the devices on PCI buses that may write to memory, and keeps the list as
 * a file of the results. `quiet`: takes that right from them; Linux's drivers take it again. Task
 * context on the boot CPU, after keep_start().
 */
void home_dma_tell(bool quiet);

#endif
