#!/usr/bin/env python3
"""Damages files in many ways and lets burnish read them.

Whatever it is given, the program has to end by itself, with exit code 0 or 1, within ten seconds of work, in less than
500 MB; after an error there is one message, no output and nothing left behind. Every file of a folder is tried as it
is, then as many damaged ones as asked for; the seed decides which. What breaks a promise is kept.

    mutations.py PROGRAM FOLDER KEEP [--count N] [--seed N] [--jobs N]
"""

import argparse
import collections
import concurrent.futures
import os
import pathlib
import random
import resource
import signal
import subprocess
import sys
import tempfile

MOST_SECONDS = 10  # of processor time; the machine may be busy with other things
MOST_WAIT = 300
MOST_MEMORY = 500 * 1000 * 1000
LARGEST = 300_000  # of what is damaged: the start of a larger file will do
ENDINGS = ["ply", "pcd", "las", "laz", "copc.laz", "e57", "xyz", "csv", "pts", "npy", "bin", "obj", "off"]

NUMBERS = [b"0", b"-1", b"1", b"255", b"65536", b"2147483647", b"4294967295", b"18446744073709551615", b"99999999999",
           b"1e308", b"1e-320", b"-1e999", b"nan", b"inf", b"0x10", b"1,5", b""]
BINARY = [b"\x00" * 4, b"\xff" * 4, b"\xff\xff\xff\x7f", b"\x00\x00\x00\x80", b"\xff" * 8, b"\x00\x00\xc0\x7f",
          b"\x00\x00\x80\x7f", b"\x01\x00\x00\x00"]


def place(rng, size):
    """Half of the damage goes into the first bytes, where headers are."""
    return rng.randrange(max(1, min(size, 400) if rng.random() < 0.5 else size))


def crc_table():
    table = []
    for value in range(256):
        for _ in range(8):
            value = value >> 1 ^ (0x82F63B78 if value & 1 else 0)
        table.append(value)
    return table


CRC = crc_table()


def with_checksums(content):
    """An E57 file whose checksums fit what was damaged: otherwise every damage would be found by them alone."""
    pages = []
    for at in range(0, len(content), 1024):
        page, crc = content[at:at + 1020].ljust(1020, b"\0"), 0xFFFFFFFF
        for byte in page:
            crc = CRC[(crc ^ byte) & 255] ^ crc >> 8
        pages.append(page + (crc ^ 0xFFFFFFFF).to_bytes(4, "big"))
    return b"".join(pages)


def damage_once(rng, content, others):
    at = place(rng, len(content))
    kind = rng.randrange(9)
    if kind == 0:
        return content[:at]
    if kind == 1:
        return content[:at] + bytes([rng.randrange(256)]) + content[at + 1:]
    if kind == 2:
        return content[:at] + bytes([content[at] ^ (1 << rng.randrange(8))]) + content[at + 1:] if content else b""
    if kind == 3:
        return content[:at] + content[at + rng.randrange(1, 64):]
    if kind == 4:
        return content[:at] + content[at:at + rng.randrange(1, 256)] + content[at:]
    if kind == 5:
        pattern = rng.choice(BINARY)
        return content[:at] + pattern + content[at + len(pattern):]
    if kind == 6:
        start = content.rfind(b" ", 0, at + 1) + 1
        end = min((e for e in (content.find(c, start) for c in (b" ", b"\n", b"\r")) if e >= 0), default=len(content))
        return content[:start] + rng.choice(NUMBERS) + content[end:]
    if kind == 7:
        lines = content.split(b"\n")
        lines.insert(rng.randrange(min(len(lines), 40)), lines[rng.randrange(len(lines))])
        return b"\n".join(lines)
    other = rng.choice(others).read_bytes()[:LARGEST]
    return content[:at] + other[place(rng, len(other)):]


def make_case(rng, files):
    """A damaged file: its name and its bytes."""
    original = rng.choice(files)
    content = original.read_bytes()[:LARGEST]
    for _ in range(rng.choice([1, 1, 1, 2, 4, 16])):
        content = damage_once(rng, content, files)
    if content.startswith(b"ASTM-E57") and rng.random() < 0.9:
        content = with_checksums(content)
    return original.name, content


def limit():
    """In the new process: an end to endless work, and to waiting for ever."""
    resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS, MOST_SECONDS))
    signal.alarm(MOST_WAIT)


def check(program, name, content, number):
    """Runs the program on the content. Returns its exit code, the memory it took and the promises it broke."""
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as top:
        folder = pathlib.Path(top, "work")
        folder.mkdir()
        path = folder / ("in" + pathlib.Path(name).suffix)
        path.write_bytes(content)
        output = "out." + ENDINGS[number % len(ENDINGS)]
        arguments = ["info", path.name] if number % 4 == 0 else ["convert", path.name, output]
        out, err = pathlib.Path(top, "out"), pathlib.Path(top, "err")
        with out.open("wb") as out_file, err.open("wb") as err_file:
            process = subprocess.Popen([program, *arguments, "--threads", "1"], cwd=folder, stdin=subprocess.DEVNULL,
                                       stdout=out_file, stderr=err_file, preexec_fn=limit)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        code = process.returncode
        memory = 1024 * usage.ru_maxrss
        message = err.read_bytes()
        expected = [path.name] + ([output] if code == 0 and arguments[0] == "convert" else [])
        broken = []
        if code not in (0, 1):
            broken.append(f"exit code {code} of {' '.join(arguments)}: {message[:300]!r}")
        if code == 1 and (len(message.splitlines()) != 1 or not message.startswith(b"burnish: ")):
            broken.append(f"no message of one line: {message[:300]!r}")
        if code == 1 and out.stat().st_size > 0:
            broken.append("output on standard output after an error")
        if sorted(os.listdir(folder)) != sorted(expected):
            broken.append(f"left behind: {os.listdir(folder)}")
        if memory > MOST_MEMORY:
            broken.append(f"takes {memory / 1e6:.0f} MB")
        return code, memory, broken


def run(job):
    """One job: a file as it is, or the number of a damaged one. Keeps what breaks a promise."""
    program, files, keep, seed, path, number = job
    if path is not None:
        name, content = path.name, path.read_bytes()
    else:
        name, content = make_case(random.Random(f"{seed} {number}"), files)
    code, memory, broken = check(program, name, content, number)
    if broken:
        keep.mkdir(parents=True, exist_ok=True)
        kept = keep / f"{seed}-{number}-{name}"
        kept.write_bytes(content)
        broken.insert(0, str(kept))
    return code, memory, broken


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("keep", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=10000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    program = os.path.realpath(options.program)
    files = sorted(path for path in options.folder.rglob("*") if path.is_file())
    if not files:
        sys.exit(f"{options.folder}: there are no files")

    common = program, files, options.keep, options.seed
    jobs = [(*common, path, number) for i, path in enumerate(files) for number in (0, 1 + i % 3)]
    jobs += [(*common, None, number) for number in range(options.count)]
    codes = collections.Counter()
    most_memory = 0
    findings = 0
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        for code, memory, broken in pool.map(run, jobs, chunksize=16):
            codes[code] += 1
            most_memory = max(most_memory, memory)
            if broken:
                findings += 1
                print("; ".join(broken), flush=True)
    print(f"{len(files)} files and {options.count} mutations of them, seed {options.seed}: {codes[0]} read, {codes[1]} "
          f"refused, {findings} broken promises; most memory {most_memory / 1e6:.0f} MB")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
