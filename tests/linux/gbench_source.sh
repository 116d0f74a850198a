# SPDX-License-Identifier: BSD-2-Clause
# gbench_source.sh FOLDER: FOLDER/gbench-counters, which is tests/linux/gbench.cc with Google Benchmark as its Debian
# source package has it, made with libpfm4: the binary package is made without, and then has no counters of events.
# Prints why it could not be made. Nothing of the machine's package lists changes.
set -eu
from=$PWD
mkdir -p "$1/benchmark/lists/partial"
cd "$1/benchmark"
release=$(. /etc/os-release && echo "$VERSION_CODENAME")
echo "deb-src http://deb.debian.org/debian $release main" >sources
source_package() {
	apt-get -q -o Dir::Etc::sourcelist="$PWD/sources" -o Dir::Etc::sourceparts=- -o Dir::State::lists="$PWD/lists" \
		-o Dir::Cache="$PWD" -o APT::Sandbox::User=root "$@" >log 2>&1
}
if ! { source_package update && source_package source --download-only benchmark; }; then
	echo "no source package 'benchmark' is to be had: $(tail -n 1 log)"
	exit 1
fi
tar xf benchmark_*.orig.tar.*
cd benchmark-*/
for source in src/*.cc; do
	[ "$source" = src/benchmark_main.cc ] || echo "$source"
done | xargs -P 2 -I '{}' g++ -std=c++14 -O1 -w -Iinclude -DHAVE_LIBPFM -DHAVE_STD_REGEX -DHAVE_STEADY_CLOCK -DNDEBUG -c '{}'
g++ -O1 -w -Iinclude -o "$from/$1/gbench-counters" "$from/tests/linux/gbench.cc" ./*.o -lpfm -lpthread
