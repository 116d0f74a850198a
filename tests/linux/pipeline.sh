#!/bin/busybox sh
# SPDX-License-Identifier: BSD-2-Clause
# A shell's pipelines, files and children, by busybox alone.
b=/bin/busybox
$b seq 1 2000 | $b sort -r | $b awk '{ s += $1 } END { print NR, s }'
$b seq 1 2000 | $b md5sum
cd /tmp || exit 1
$b head -c "${1:-52428800}" /dev/zero >z
$b gzip z && $b gunzip z.gz && $b wc -c <z && $b md5sum z
$b rm z
(exit 3)
echo "status $?"
