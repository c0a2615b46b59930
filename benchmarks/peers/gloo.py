"""Barriers and all-reduces of torch.distributed over Gloo, as one rank of a world.

BYTES may be several sizes with commas between them: buckets that are reduced at once, as DDP does.

usage: gloo.py RANK SIZE ADDRESS PORT BYTES WARM COUNT

Prints a line each for the barrier, unless BYTES is large, and the all-reduce:
what p50 US p99 US mean US
"""
import sys
import time

import torch
import torch.distributed as dist

LARGE = 1 << 20


def measure(what, call, warm, count):
    for _ in range(warm):
        call()
    times = []
    for _ in range(count):
        start = time.perf_counter_ns()
        call()
        times.append((time.perf_counter_ns() - start) / 1000)
    times.sort()
    middle, high = times[count // 2], times[min(count - 1, count * 99 // 100)]
    print(f"{what} p50 {middle:.2f} p99 {high:.2f} mean {sum(times) / count:.2f}", flush=True)


def all_reduce(buckets):
    if len(buckets) == 1:
        dist.all_reduce(buckets[0])
        return
    for work in [dist.all_reduce(bucket, async_op=True) for bucket in buckets]:
        work.wait()


def main():
    rank, size = int(sys.argv[1]), int(sys.argv[2])
    address, port = sys.argv[3], sys.argv[4]
    sizes, warm, count = [int(size) for size in sys.argv[5].split(",")], int(sys.argv[6]), int(sys.argv[7])
    torch.set_num_threads(1)
    dist.init_process_group("gloo", init_method=f"tcp://{address}:{port}", rank=rank, world_size=size)
    buckets = [torch.zeros(size // 4) for size in sizes]
    if sum(sizes) < LARGE:
        measure("barrier", dist.barrier, warm, count)
    measure("allreduce", lambda: all_reduce(buckets), warm, count)
    dist.barrier()
    dist.destroy_process_group()


main()
