#!/usr/bin/env python3
"""How fast LAZ and E57 are read and written, beside lazrs and laz-perf on the same files in the same run.

Usage: report.py PROGRAM BENCHMARK PEERS FOLDER [MILLIONS]. PEERS has the folders python (laspy, lazrs) and node
(laz-perf), which ./run bench formats installs; what is missing is left out. Million points a second of processor
time on one thread, the best of three, so that a busy machine counts little; then what further threads gain, for which
the machine has to be idle. The tables are for Markdown.
"""

import io
import json
import os
import subprocess
import sys
import time
from pathlib import Path

program, benchmark, peers, folder = sys.argv[1], sys.argv[2], Path(sys.argv[3]).resolve(), Path(sys.argv[4])
points = int(float(sys.argv[5]) * 1e6) if len(sys.argv) > 5 else 2_000_000
sys.path.insert(0, str(peers / "python"))

import numpy as np  # noqa: E402, the one the others were installed with


def airborne(dtype, count):
    """Scan lines over hilly ground, with several returns, times, classes and slowly changing colours."""
    random = np.random.default_rng(1)
    a = np.zeros(count, dtype)
    place, line = np.arange(count) % 2000, np.arange(count) // 2000
    x, y = place * 0.5 + random.normal(0, 0.05, count), line * 0.5 + random.normal(0, 0.05, count)
    returns = random.choice([1, 1, 1, 2, 3], count)
    number = random.integers(1, returns + 1)
    z = 40 * np.sin(x / 90) * np.cos(y / 70) + random.normal(0, 0.03, count) + 8 * (returns - number) * random.random(count)
    a["X"], a["Y"], a["Z"] = (x * 100).round(), (y * 100).round(), (z * 100).round()
    a["intensity"] = 300 + 50 * np.sin(x / 20) + random.normal(0, 20, count)
    a["time"] = 2e8 + np.cumsum(random.choice([0, 4e-6, 4e-6, 8e-6], count))
    if "angle16" in dtype.names:
        a["returns"], a["angle16"] = returns << 4 | number, (place - 1000) * 3
        a["class"] = np.where(returns > number, 5, 2)
    else:
        a["returns"], a["angle"] = returns << 3 | number, (place - 1000) // 50
        a["class"] = np.where(returns > number, 5, 2)
    for i, colour in enumerate(("red", "green", "blue")):
        a[colour] = (120 + 60 * np.sin(x / (30 + 9 * i)) + random.normal(0, 4, count)).astype("u2") * 256
    a["source"] = line // 200
    return a


def las_file(path, point_format, count):
    old = [("X", "<i4"), ("Y", "<i4"), ("Z", "<i4"), ("intensity", "<u2"), ("returns", "u1"), ("class", "u1"),
           ("angle", "i1"), ("user", "u1"), ("source", "<u2"), ("time", "<f8")]
    new = [("X", "<i4"), ("Y", "<i4"), ("Z", "<i4"), ("intensity", "<u2"), ("returns", "u1"), ("flags", "u1"),
           ("class", "u1"), ("user", "u1"), ("angle16", "<i2"), ("source", "<u2"), ("time", "<f8")]
    colours = [(c, "<u2") for c in ("red", "green", "blue")]
    a = airborne(np.dtype((old if point_format < 6 else new) + colours), count)
    header = bytearray(227 if point_format < 6 else 375)

    def put(place, type_, *values):
        header[place : place + np.dtype(type_).itemsize * len(values)] = np.array(values, type_).tobytes()

    header[0:4] = b"LASF"
    put(24, "u1", 1, 2 if point_format < 6 else 4)
    put(94, "<u2", len(header))
    put(96, "<u4", len(header), 0)
    put(104, "u1", point_format)
    put(105, "<u2", a.dtype.itemsize)
    put(107, "<u4", count if point_format < 6 else 0)
    put(131, "<f8", 0.01, 0.01, 0.01, 0, 0, 0)
    if point_format >= 6:
        put(247, "<u8", count)
    path.write_bytes(bytes(header) + a.tobytes())


def best(work):
    times = []
    for _ in range(3):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def lazrs_times(las, laz):
    try:
        import laspy
        import lazrs
    except ImportError:
        return {}
    with laspy.open(laz) as file:
        vlr = next(v for v in file.header.vlrs if type(v).__name__ == "LasZipVlr").record_data
        begin, count, size = file.header.offset_to_point_data, file.header.point_count, file.header.point_format.size
    content = laz.read_bytes()
    records = np.zeros(count * size, np.uint8)  # filled by decoding, compressed again by encoding

    def decode():
        stream = io.BytesIO(content)
        stream.seek(begin)
        lazrs.LasZipDecompressor(stream, vlr).decompress_many(records)

    def encode():
        stream = io.BytesIO()
        compressor = lazrs.LasZipCompressor(stream, lazrs.LazVlr(vlr))
        compressor.compress_many(records)
        compressor.done()

    laspy.read(las).write(folder / "theirs.laz")
    return {"decode": best(decode), "encode": best(encode),
            "bytes": (folder / "theirs.laz").stat().st_size}


def laz_perf_seconds(laz):
    if not (peers / "node/node_modules/laz-perf").is_dir():
        return None
    script = Path(__file__).resolve().parents[2] / "tests/peers/read.mjs"
    environment = {**os.environ, "BURNISH_PEERS": str(peers)}
    command = ["node", "--experimental-wasm-modules", "--no-warnings", str(script), "time", str(laz), ""]
    return min(float(subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout)
               for _ in range(3))


def ours(path, threads=1):
    done = subprocess.run([benchmark, str(path), str(threads)], check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


def rate(seconds):
    return f"{points / seconds / 1e6:.2f}" if seconds else "not installed"


folder.mkdir(parents=True, exist_ok=True)
print(f"Million points a second of one core, {points:,} points:\n")
print("| | burnish | lazrs | laz-perf (WASM) |\n|---|---|---|---|")
for point_format in (3, 7):
    las, laz = folder / f"format{point_format}.las", folder / f"format{point_format}.laz"
    las_file(las, point_format, points)
    subprocess.run([program, "convert", las, laz, "--quiet"], check=True)
    here, theirs = ours(laz), lazrs_times(las, laz)
    print(f"| LAZ format {point_format}, decoding | {rate(here['decode'])} | {rate(theirs.get('decode'))} | "
          f"{rate(laz_perf_seconds(laz))} |")
    print(f"| LAZ format {point_format}, encoding | {rate(here['encode'])} | {rate(theirs.get('encode'))} | |")
    print(f"| LAZ format {point_format}, from file to cloud | {rate(here['read'])} | | |")
    if theirs:
        print(f"| LAZ format {point_format}, bytes | {laz.stat().st_size:,} | {theirs['bytes']:,} | |")
subprocess.run([program, "convert", folder / "format3.las", folder / "points.e57", "--quiet"], check=True)
print(f"| E57, 18 fields, from file to cloud | {rate(ours(folder / 'points.e57')['read'])} | | |")
subprocess.run([program, "convert", folder / "points.e57", folder / "plain.npy", "--quiet"], check=True)
np.save(folder / "plain.npy", np.load(folder / "plain.npy")[["x", "y", "z", "intensity", "red", "green", "blue"]])
subprocess.run([program, "convert", folder / "plain.npy", folder / "plain.e57", "--quiet"], check=True)
here = ours(folder / "plain.e57")
print(f"| E57 with intensity and colours, from file to cloud | {rate(here['read'])} | | |")
print(f"| E57 with intensity and colours, from cloud to file | {rate(here['write'])} | | |")

threads = os.cpu_count()
print(f"\nMillion points a second that pass, on a machine that does nothing else, by 1 and {threads} threads:\n")
print(f"| | 1 thread | {threads} threads | gain |\n|---|---|---|---|")
for point_format in (3, 7):
    laz = folder / f"format{point_format}.laz"
    one, all_ = ours(laz, 1), ours(laz, threads)
    for name, key in (("decoding", "decode_wall"), ("encoding", "encode_wall")):
        print(f"| LAZ format {point_format}, {name} | {rate(one[key])} | {rate(all_[key])} | {one[key] / all_[key]:.2f} |")
