#!/bin/sh -e
# SPDX-License-Identifier: BSD-2-Clause
# database.sh CLIENTS TRANSACTIONS - PostgreSQL as its users run it: a cluster is made, its server serves pgbench over a
# socket of AF_UNIX, and ends. No user but root's may run it. PG is the folder of its programs.
clients=$1
each=$2
cd /tmp
"$PG/initdb" --no-sync --locale=C --auth=trust --username=bench data >initdb.log
"$PG/pg_ctl" --silent --wait --pgdata=data --log=server.log \
	--options="-c listen_addresses= -c unix_socket_directories=/tmp -c shared_buffers=8MB" start
"$PG/pgbench" --host=/tmp --username=bench --initialize --quiet postgres 2>&1 | grep done
"$PG/pgbench" --host=/tmp --username=bench --client="$clients" --transactions="$each" postgres | grep processed
"$PG/psql" --host=/tmp --username=bench --no-align --tuples-only --command="
	select count(*), (select sum(tbalance) from pgbench_tellers) = (select sum(delta) from pgbench_history),
	(select sum(abalance) from pgbench_accounts) = (select sum(bbalance) from pgbench_branches) from pgbench_history" postgres
"$PG/pg_ctl" --silent --wait --pgdata=data --mode=fast stop
grep -o 'database system is shut down' server.log
