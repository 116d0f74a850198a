# SPDX-License-Identifier: BSD-2-Clause
# The arithmetic of `make accuracy`, and its table from a program whose predictions are known.
. "$(dirname "$0")/../_lib.sh"

tests/accuracy/test_errors.py >"$dir/arithmetic" 2>&1
is "the errors are as worked out by hand" $? 0

# A program that answers with the measured figures, except that each is a quarter too large.
cat >"$dir/model" <<-'END'
	#!/bin/sh
	awk -F, 'FNR == NR { cycles[$1] = $2; next } { print cycles[$1] * 1.25 }' tests/accuracy/"$1".csv -
END
chmod +x "$dir/model"
tests/accuracy/compare --model "$dir/model" >"$dir/table"
is "each table has the error of a quarter, and the measured order" \
	"$(grep -cE '^\| perf0 \| [a-z0-9]+ \| (unrolled|loop|latency|throughput) \| all \|.*\| 25\.0% \| 25\.0% \| 1\.00 \| 0% \|$' "$dir/table")" \
	"$(($(ls tests/accuracy/zen*.csv | wc -l) * 4))"
has "classes that err by more than 10 % are named" "$dir/table" '. perf0, zen[0-9], unrolled: .*integer.*'
tests/accuracy/compare --model false >"$dir/failed" 2>&1
is "a program that fails is no prediction" $? 1
finish
