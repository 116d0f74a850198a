# SPDX-License-Identifier: BSD-2-Clause
# processes.py TURNS - Python's multiprocessing, with processes made by fork(2): prints a line for each kind of
# object, the same on Linux and in perf0.
import multiprocessing
import sys
from multiprocessing import shared_memory

WORKERS, TURNS = 4, int(sys.argv[1])
context = multiprocessing.get_context("fork")


def run(function, *arguments):
    workers = [context.Process(target=function, args=(n, *arguments)) for n in range(WORKERS)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return [worker.exitcode for worker in workers]


def add_locked(_, lock, total):
    for _ in range(TURNS):
        with lock:
            total.value += 1


def add_by_value(_, total):
    for _ in range(TURNS):
        with total.get_lock():
            total.value += 1


def enter(_, semaphore, inside, most):
    for _ in range(TURNS):
        with semaphore:
            with inside.get_lock():
                inside.value += 1
                most.value = max(most.value, inside.value)
            with inside.get_lock():
                inside.value -= 1


def put(n, queue):
    for i in range(TURNS):
        queue.put(n * TURNS + i)


def meet(n, barrier, turns):
    for turn in range(TURNS):
        turns[n] = turn
        barrier.wait()
        if any(other != turn for other in turns):
            raise SystemExit(1)
        barrier.wait()


def answer(n, condition, whose):
    with condition:
        condition.wait_for(lambda: whose.value == n)
        whose.value += 1
        condition.notify_all()


def fill(n, name):
    block = shared_memory.SharedMemory(name=name)
    block.buf[n * TURNS:(n + 1) * TURNS] = bytes([n + 1]) * TURNS
    block.close()


def square(n):
    return n * n


def locks():
    total = context.Value("i", 0, lock=False)
    codes = run(add_locked, context.Lock(), total)
    return codes, total.value


def values():
    total = context.Value("q", 0)
    return run(add_by_value, total), total.value


def semaphores():
    inside, most = context.Value("i", 0), context.Value("i", 0)
    codes = run(enter, context.Semaphore(2), inside, most)
    return codes, inside.value, 1 <= most.value <= 2


def queues():
    queue = context.Queue()
    workers = [context.Process(target=put, args=(n, queue)) for n in range(WORKERS)]
    for worker in workers:
        worker.start()
    taken = sorted(queue.get() for _ in range(WORKERS * TURNS))
    for worker in workers:
        worker.join()
    return taken == list(range(WORKERS * TURNS)), queue.empty()


def barriers():
    return run(meet, context.Barrier(WORKERS), context.Array("i", WORKERS))


def conditions():
    whose = context.Value("i", 0)
    return run(answer, context.Condition(), whose), whose.value


def blocks():
    block = shared_memory.SharedMemory(create=True, size=WORKERS * TURNS)
    codes, total = run(fill, block.name), sum(block.buf)
    block.close()
    block.unlink()
    return codes, total


def pools():
    with context.Pool(WORKERS) as pool:
        return sum(pool.map(square, range(20 * TURNS))), pool.apply(square, (12,))


for kind in (locks, values, semaphores, queues, barriers, conditions, blocks, pools):
    print(kind.__name__, kind(), flush=True)
