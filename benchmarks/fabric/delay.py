"""Holds packets of a spine for a while: delay.py FILE DEVICE…

FILE has the delay in milliseconds; it is read again on SIGHUP. For each DEVICE there is a tap
delay-DEVICE with the same MAC address: a tc filter redirects what arrives at DEVICE out of the tap, to this
program, which gives it back to the kernel through the tap after the delay. To the kernel it arrives only then.
Packets keep their order, also when the delay shrinks.
"""
import collections
import fcntl
import os
import select
import signal
import struct
import subprocess
import sys
import time

TUNSETIFF = 0x400454CA
IFF_TAP_NO_PI = 0x0002 | 0x1000
LONGEST_QUEUE = 20000  # packets; what comes beyond is lost, as in a full buffer


def tap(device):
    name = "delay-" + device
    descriptor = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(descriptor, TUNSETIFF, struct.pack("16sH22x", name.encode(), IFF_TAP_NO_PI))
    with open(f"/sys/class/net/{device}/address") as address, open(f"/sys/class/net/{device}/mtu") as mtu:
        settings = ["address", address.read().strip(), "mtu", mtu.read().strip(), "up"]
    subprocess.run(["ip", "link", "set", name] + settings, check=True)
    return descriptor


def read_delay(path):
    with open(path) as file:
        return float(file.read()) / 1000


def take(descriptor, waiting, delay):
    while True:
        try:
            packet = os.read(descriptor, 65536)
        except BlockingIOError:
            return
        if len(waiting) < LONGEST_QUEUE:
            due = time.monotonic() + delay
            waiting.append((max(due, waiting[-1][0]) if waiting else due, packet, descriptor))


def give_back(waiting):
    """Returns the seconds until the next packet is due, or None."""
    while waiting:
        due, packet, descriptor = waiting[0]
        left = due - time.monotonic()
        if left > 0:
            return left
        waiting.popleft()
        try:
            os.write(descriptor, packet)
        except OSError:
            pass  # the kernel has no memory for it: lost, as in a full buffer
    return None


def main():
    path, devices = sys.argv[1], sys.argv[2:]
    delay = read_delay(path)

    def read_again(*_):
        nonlocal delay
        delay = read_delay(path)

    signal.signal(signal.SIGHUP, read_again)
    descriptors = [tap(device) for device in devices]
    waiting = collections.deque()
    while True:
        for descriptor in select.select(descriptors, [], [], give_back(waiting))[0]:
            take(descriptor, waiting, delay)


main()
