# SPDX-License-Identifier: BSD-2-Clause
# A guest that follows the manuals and knows nothing of vpmu (tests/guests/pmu) finds no fault in any personality's PMU.
. "$(dirname "$0")/../_lib.sh"

# guest NAME ARGS...: runs perf0 boot ARGS; the guest's text goes to NAME.out, the status to $status.
guest() {
	at=$dir/$1
	shift
	$perf0 boot --timeout $patience "$@" >"$at.out" 2>"$at.err" </dev/null
	status=$?
}

for uarch in $(personalities hsw skx icl adl zen4) $(one_of cwf lnl arl ptl mtl srf grr); do
	guest $uarch --uarch $uarch build/pmu-guest.efi
	is "$uarch: no check fails" "$(grep '^FAIL' "$dir/$uarch.out")" ""
	is "$uarch: status" $status 0
	has "$uarch: there were checks" "$dir/$uarch.out" 'pmu: [1-9][0-9]{2,} checks, 0 failed'
done
# Reference cycles and core cycles of a loop are within their bounds on each of Intel's.
for uarch in $(one_of $($perf0 list uarchs | awk 'NF >= 2 && $2 !~ /^(k8|fam|zen)/ {print $1}')); do
	guest ranges-$uarch --uarch $uarch build/pmu-guest.efi ranges
	is "$uarch, ranges: no check fails" "$(grep '^FAIL' "$dir/ranges-$uarch.out")" ""
	is "$uarch, ranges: status" $status 0
done
while read -r uarch said; do
	[ ! -e "$dir/$uarch.out" ] || has "$uarch: what it is" "$dir/$uarch.out" "$said"
done <<-END
	hsw Intel, version 3: .*
	cwf Intel, version 6: .* fixed ones 77 of 48
	zen4 AMD, version 2: .*
END

# With the host's clock QEMU's plugin counts, just as exactly, but precise records come late. They are left out here.
guest clock --clock host --uarch icl build/pmu-guest.efi counting rings masks widths overflow freeze fixed reserved rdpmc lbr
is "by the host's clock: no check fails" "$(grep '^FAIL' "$dir/clock.out")" ""
is "by the host's clock: status" $status 0

for uarch in $(either "" "slm knl"); do
	guest $uarch --uarch $uarch build/pmu-guest.efi lbr
	is "$uarch, branch records: no check fails" "$(grep '^FAIL' "$dir/$uarch.out")" ""
	is "$uarch, branch records: status" $status 0
	has "$uarch, branch records: there are 8" "$dir/$uarch.out" 'ok lbr: 8 records'
done

# Zen 3 has no PerfMonV2, so it cannot switch all counters at once. All other sections need that.
guest zen3 --uarch zen3 build/pmu-guest.efi brs
is "zen3, branch sampling: no check fails" "$(grep '^FAIL' "$dir/zen3.out")" ""
is "zen3, branch sampling: status" $status 0
has "zen3, branch sampling: there were checks" "$dir/zen3.out" 'pmu: [1-9][0-9]* checks, 0 failed'

# With PCI devices of the uncore, port accesses exit to vpmu. Their instructions are counted, too.
guest pci --uarch skx --hypervisor-bit off build/pmu-guest.efi counting masks
is "with devices of the uncore: no check fails" "$(grep '^FAIL' "$dir/pci.out")" ""
is "with devices of the uncore: status" $status 0

# CPUID reports as many threads and cores as there are CPUs.
for row in $(one_of skx_2 icl_4 adl_2 zen4_4); do
	set -- "${row%_*}" "${row#*_}"
	guest "$1-$2" --uarch "$1" --smp "$2" build/pmu-guest.efi topology
	is "$1 with $2 CPUs: no check fails" "$(grep '^FAIL' "$dir/$1-$2.out")" ""
	is "$1 with $2 CPUs: status" $status 0
done

# Instructions before a run of branch records do not delay an overflow after it.
guest behind --uarch skx build/pmu-guest.efi lbr pebs
is "precise records behind branch records: no check fails" "$(grep '^FAIL' "$dir/behind.out")" ""
is "precise records behind branch records: status" $status 0

# The guest can fail: it notices one interrupt too many.
guest doubled --uarch skx --fault extranmi build/pmu-guest.efi overflow
is "an interrupt too many: status" $status 1
has "an interrupt too many: told" "$dir/doubled.out" 'FAIL overflow: .*'
guest named build/pmu-guest.efi rdpmc
is "one section: status" $status 0
is "one section: no other one" "$(grep -c '^ok [^r]' "$dir/named.out")" 0
guest unnamed build/pmu-guest.efi rdpcm
is "a section that is not there: status" $status 66
has "a section that is not there: told" "$dir/unnamed.out" 'pmu: rdpcm: no section begins so'
finish
