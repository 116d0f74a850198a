# SPDX-License-Identifier: BSD-2-Clause
# The tables in docs/MODEL.md equal those of the code.
. "$(dirname "$0")/../_lib.sh"

cp docs/MODEL.md "$dir/model.md"
scripts/model-tables "$dir/model.md"
is "docs/MODEL.md is what the rows say (make reference)" "$(diff docs/MODEL.md "$dir/model.md" | head -n 8)" ""
is "it has them" "$(grep -cE '^\| (L1D|`UOPS`|`CYCLES`) \|' docs/MODEL.md)" 3
finish
