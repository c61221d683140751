#!/usr/bin/env python3
"""Measures burnish and, where asked to, other programs on the same points in the same run; prints tables and stores them.

Called by ./run bench; --help lists the options. Seconds are CPU seconds of all threads unless it says otherwise:
smallest of the repetitions, and in brackets the largest.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
from pathlib import Path

NEUTRAL = {"LC_ALL": "C"}

# Functions whose instructions are counted; valgrind knows vectors of eight lanes at most.
KERNELS = ["find_nearest_8", "project_to_plane_8", "project_heights_8", "squared_differences_8", "keep_single_8",
           "count_partners_8", "add_degrees_8", "LaplacianAssembler::sum_rows", "LaplacianAssembler::place_rows",
           "LaplacianAssembler::merge_row", "multiply_rows_avx2"]


class Run:
    """What one program took."""

    def __init__(self, command, check=True):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True, env=os.environ | NEUTRAL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if check and done.returncode != 0:
            sys.exit(f"{' '.join(map(str, command))}\n{done.stderr}")
        self.output = done.stdout
        self.cpu_seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


class Report:
    """Tables as they come: printed, and kept for the files."""

    def __init__(self):
        self.tables = []

    def add(self, title, header, rows, note=""):
        self.tables.append({"title": title, "header": header, "rows": rows, "note": note})
        print(self.markdown(self.tables[-1]), flush=True)

    @staticmethod
    def markdown(table):
        def line(cells):
            return "| " + " | ".join(cells) + " |\n"

        def cell(value):
            if isinstance(value, dict):
                return f"{value['min']:.3g} ({value['max']:.3g})"
            return f"{value:.4g}" if isinstance(value, float) else str(value)

        text = f"### {table['title']}\n\n"
        text += line(table["header"]) + line(["---"] * len(table["header"]))
        text += "".join(line([cell(value) for value in row]) for row in table["rows"])
        return text + (f"\n{table['note']}\n" if table["note"] else "")

    def store(self, folder):
        (folder / "bench.json").write_text(json.dumps(self.tables, indent=1) + "\n")
        (folder / "bench.md").write_text("\n".join(self.markdown(table) for table in self.tables))
        print(f"stored: {folder}/bench.json, bench.md, *.svg", file=sys.stderr)


def spread(values):
    return {"min": min(values), "max": max(values)}


class Bench:
    def __init__(self, options):
        self.options = options
        self.folder = options.out
        self.folder.mkdir(parents=True, exist_ok=True)
        self.report = Report()
        self.accuracy = []  # (name, CPU seconds, mean distance to the truth)

    def denoise(self, noisy, out, *arguments):
        command = [self.options.burnish, "denoise", noisy, out, "--json", "--quiet", *arguments]
        return json.loads(Run(command).output)

    def repeat(self, noisy, out, *arguments):
        return [self.denoise(noisy, out, *arguments) for _ in range(self.options.repetitions)]

    def mean_distance(self, result, clean):
        output = Run([self.options.burnish, "evaluate", result, "--truth", clean, "--json", "--quiet"]).output
        values = json.loads(output)
        return (values.get("comparisons") or [values])[0]["mean_distance"]

    def made_cloud(self, points):
        """A machined part whose points are as far apart, and as noisy, as those of Anchor."""
        clean = self.folder / f"part-{points}.ply"
        noisy = self.folder / f"part-{points}-noisy.ply"
        if not noisy.exists():
            Run([self.options.burnish, "synth", "part", clean, "--points", points, "--quiet"])
            sigma = 0.5 / points**0.5  # a third of the spacing
            Run([self.options.burnish, "noise", clean, noisy, "--sigma", sigma, "--unit", "diameter", "--quiet"])
        return noisy, clean

    def anchor(self):
        """The paper's model, or a made one of its size where that is not at hand; and the options that fit it."""
        folder = self.options.data / "anchor"
        if (folder / "noisy-0.02.ply").exists():
            return folder / "noisy-0.02.ply", folder / "clean.ply", ["--preset", "authors", "--noise-level", "0.02"]
        scaled = ["--preset", "authors", "--noise-level", "0.02", "--length-unit", "spacing"]
        return *self.made_cloud(55799), scaled

    def ours(self):
        noisy, clean, authors = self.anchor()
        rows = []
        for name, arguments in [
            ("GLR, authors' preset", ["--method", "glr", *authors]),
            ("GLR, paper's preset", ["--method", "glr", "--preset", "paper", "--noise-level", "0.02"]),
            ("default, nothing set", []),
            ("mls", ["--method", "mls"]),
            ("apss", ["--method", "apss"]),
            ("bilateral", ["--method", "bilateral"]),
        ]:
            out = self.folder / "ours.ply"
            runs = self.repeat(noisy, out, "--threads", "1", *arguments)
            distance = self.mean_distance(out, clean)
            cpu = spread([run["cpu_seconds"] for run in runs])
            best = min(runs, key=lambda run: run["cpu_seconds"])
            iterations = best.get("iterations", [])
            iterations = [i["seconds"] for i in iterations if "seconds" in i] if isinstance(iterations, list) else []
            stages = [sum(i[stage] for i in iterations) for stage in ("patches", "distances", "assembly", "solve")]
            rows.append([name, cpu, *(stages if any(stages) else ["–"] * 4), best["peak_memory"] / best["points"], distance])
            self.accuracy.append((name, cpu["min"], distance))
        self.report.add(
            f"Ours, one thread, {noisy.name}",
            ["method", "CPU s", "patches", "distances", "assembly", "solve", "peak bytes/point", "mean distance"],
            rows,
            "Stages in wall-clock seconds of the fastest run, over all iterations.",
        )

    def peers(self):
        noisy, clean, _ = self.anchor()
        folder, tools = self.options.peers, Path(__file__).parent.parent / "tools" / "peers"
        spacing = json.loads(Run([self.options.burnish, "info", noisy, "--json", "--quiet"]).output)["spacing"]
        rows = []

        def add(name, seconds, result):
            distance = self.mean_distance(result, clean)
            rows.append([name, spread(seconds), distance])
            self.accuracy.append((name, min(seconds), distance))

        def printed_seconds(*command):
            return [float(Run(command).output.split()[-1]) for _ in range(self.options.repetitions)]

        out = folder / "peer.ply"
        radius = 2.5 if "anchor" in str(noisy) else 6.0 * spacing
        add("PCL MLS", printed_seconds(folder / "pcl_peer", noisy, out, radius, 2), out)
        add("CGAL jet", printed_seconds(folder / "cgal_peer", "jet", noisy, out, 36, 2), out)
        open3d = (
            "import sys, time, open3d as o3d\n"
            "cloud = o3d.io.read_point_cloud(sys.argv[1])\n"
            "start = time.process_time()\n"
            "cloud, _ = cloud.remove_statistical_outlier(20, 2.0)\n"
            "seconds = time.process_time() - start\n"
            "o3d.io.write_point_cloud(sys.argv[2], cloud)\n"
            "print(seconds)\n"
        )
        add("Open3D outlier removal", printed_seconds("/usr/bin/python3", "-c", open3d, noisy, out), out)
        # Those with normals run beside our methods of the same name; a line each: method, peer, …, distance, …, seconds.
        table = Run([tools / "check.sh", self.options.burnish, folder, noisy, clean], check=False)
        for line in table.output.splitlines()[2:]:
            method, peer, _, _, distance, _, seconds = [cell.strip() for cell in line.strip("| ").split("|")]
            rows.append([f"{peer} {method}", spread([float(seconds)]), float(distance)])
            self.accuracy.append((f"{peer} {method}", float(seconds), float(distance)))
        pcl = rows[0][1]["min"]
        self.report.add(f"Peers, {noisy.name}", ["program", "CPU s", "mean distance"], rows)
        self.report.add(
            "In the same run: CPU seconds as a multiple of PCL's MLS",
            ["method", "× PCL MLS", "mean distance"],
            [[name, seconds / pcl, distance] for name, seconds, distance in self.accuracy],
        )

    def scaling(self):
        sizes = [10_000, 100_000, 1_000_000] + ([10_000_000] if self.options.large else [])
        rows = []
        for points in sizes:
            noisy, _ = self.made_cloud(points)
            for name, arguments in [("default", []), ("GLR, 3 iterations", ["--method", "glr", "--iterations", "3"])]:
                if arguments and points > 1_000_000:
                    continue  # takes 4 kB a point
                run = self.denoise(noisy, self.folder / "ours.ply", *arguments)
                per_point = 1e6 / points
                rows.append([f"{points:,}", name, run["seconds"], run["cpu_seconds"], run["cpu_seconds"] * per_point,
                             run["peak_memory"] / points])
        self.report.add("Over the number of points, all threads",
                        ["points", "method", "wall s", "CPU s", "CPU µs/point", "peak bytes/point"], rows)

    def threads(self):
        noisy, _ = self.made_cloud(100_000)
        rows = []
        counts = sorted({1, 2, os.cpu_count() or 1})
        for name, arguments in [("default", []), ("GLR, 3 iterations", ["--method", "glr", "--iterations", "3"])]:
            walls = {}
            for count in counts:
                runs = self.repeat(noisy, self.folder / "ours.ply", "--threads", count, *arguments)
                walls[count] = spread([run["seconds"] for run in runs])
                rows.append([name, count, walls[count], walls[1]["min"] / walls[count]["min"]])
        self.report.add("Over threads, 100,000 points", ["method", "threads", "wall s", "times as fast"], rows)

    def sizes_of_patches(self):
        noisy, _ = self.made_cloud(55799)
        rows = []
        for k, neighbours in [(15, 16), (30, 8), (30, 16), (30, 32), (60, 16)]:
            arguments = ["--method", "glr", "--iterations", "3", "--patch-size", k, "--patch-neighbours", neighbours]
            run = self.denoise(noisy, self.folder / "ours.ply", "--threads", "1", *arguments)
            rows.append([k, neighbours, run["cpu_seconds"], 1e9 * run["cpu_seconds"] / (3 * 0.5 * 55799 * k * neighbours)])
        self.report.add("Over k and K: GLR, 3 iterations, 55,799 points, one thread",
                        ["k", "K", "CPU s", "ns per edge and iteration"], rows)

    def parts(self):
        """What the library's own benchmarks measure."""
        output = Run([self.options.benchmarks, "--benchmark_filter=farthest|nearest|ply", "--benchmark_format=json",
                      f"--benchmark_repetitions={self.options.repetitions}"]).output
        runs = {}
        for run in json.loads(output)["benchmarks"]:
            if run["run_type"] == "iteration":
                runs.setdefault(run["name"], []).append(run)
        rows = []
        for name, repeated in runs.items():
            best = min(repeated, key=lambda run: run["real_time"])
            rate = best.get("bytes_per_second")
            rows.append([name, spread([run["real_time"] for run in repeated]),
                         f"{rate / 1e6:.0f} MB/s" if rate else f"{best['items_per_second'] / 1e6:.2f} M points/s"])
        self.report.add("Parts, one thread", ["benchmark", "wall ms", "rate"], rows)

    def plot(self):
        plot = {
            "title": "Time against accuracy, one thread",
            "x_label": "CPU seconds",
            "y_label": "mean distance to the truth",
            "series": [{"name": name, "points": [[seconds, distance]]} for name, seconds, distance in self.accuracy],
        }
        svg = subprocess.run([self.options.plot], input=json.dumps(plot), capture_output=True, text=True, check=True).stdout
        (self.folder / "time-accuracy.svg").write_text(svg)


def count_instructions(options):
    """Instructions of the kernels on a fixed input, under valgrind, beside the stored figures: unlike seconds they do not
    depend on what else the machine does."""
    stored_file = Path(__file__).parent / "instructions.json"
    options.out.mkdir(parents=True, exist_ok=True)
    cloud, counts_file = options.out / "fixed.ply", options.out / "callgrind.out"
    Run([options.burnish, "synth", "part", cloud, "--points", "2000", "--quiet"])
    Run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={counts_file}", options.burnish, "denoise", cloud,
         options.out / "ours.ply", "--preset", "authors", "--length-unit", "spacing", "--noise-level", "0.02",
         "--iterations", "2", "--threads", "1", "--quiet"])
    lines = Run(["callgrind_annotate", "--threshold=100", counts_file]).output.splitlines()
    counts = dict.fromkeys(KERNELS, 0)
    for line in lines:
        words = line.split(maxsplit=2)
        for kernel in counts:
            if len(words) == 3 and f"::{kernel}" in words[2] and words[0].replace(",", "").isdigit():
                counts[kernel] += int(words[0].replace(",", ""))
                break
    if options.store:
        stored_file.write_text(json.dumps(counts, indent=1) + "\n")
        return
    if not stored_file.exists():
        sys.exit(f"bench: {stored_file} is not there yet: ./run bench instructions --store makes it")
    stored = json.loads(stored_file.read_text())
    worse = [kernel for kernel in counts if counts[kernel] > 1.02 * stored[kernel] or counts[kernel] == 0]
    report = Report()
    report.add("Instructions of the kernels", ["kernel", "stored", "now", "change"],
               [[kernel, stored[kernel], counts[kernel], f"{100 * (counts[kernel] / stored[kernel] - 1):+.1f} %"]
                for kernel in counts])
    if worse:
        sys.exit(f"bench: more instructions than stored, or none found: {', '.join(worse)}. If that is meant, "
                 "./run bench instructions --store")


def main():
    parser = argparse.ArgumentParser(prog="./run bench", description=__doc__.splitlines()[0])
    parser.add_argument("what", nargs="?", choices=["instructions"], help="only: instruction counts beside stored ones")
    parser.add_argument("--store", action="store_true", help="instructions: store what is counted")
    parser.add_argument("--large", action="store_true", help="scaling up to 10 million points (minutes, 8 GB)")
    parser.add_argument("--repetitions", type=int, default=3)
    for name in ("burnish", "benchmarks", "plot", "peers", "data", "out"):
        parser.add_argument(f"--{name}", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.what == "instructions":
        return count_instructions(options)
    bench = Bench(options)
    bench.ours()
    if options.peers:
        bench.peers()
    bench.plot()
    bench.threads()
    bench.sizes_of_patches()
    bench.parts()
    bench.scaling()
    bench.report.store(options.out)


if __name__ == "__main__":
    main()
