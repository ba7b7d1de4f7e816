# SPDX-FileCopyrightText: The Slipway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How fast is a matrix product, as matrices grow? One lane (a device, a thread count) a call.

Prints a table for people and, as soon as a number is known, one "@slipway {...}" line for machines.
Exit code: 0 all measured, 1 a wrong result or nothing measured, 2 wrong usage, 3 no GPU.
"""

import argparse
import csv
import json
import math
import os
import platform
import re
import statistics
import subprocess
import sys
import time

EPSILON = {"float64": 2**-52, "float32": 2**-23, "float16": 2**-10, "bfloat16": 2**-7}
TF32_EPSILON = 2**-10
ITEM_BYTES = {"float64": 8, "float32": 4, "float16": 2, "bfloat16": 2}
SHORTEST_REPEAT = 0.01  # seconds; faster products are repeated inside one measurement
FEWEST_REPEATS = 3
WORKS = {"float64": "gemm-fp64", "float32": "gemm-fp32", "float16": "gemm-fp16", "bfloat16": "gemm-bf16"}
# What holds a GPU back, by the bits that its driver tells (nvmlClocksThrottleReasons).
THROTTLE = [(0x4, "power cap"), (0x8, "hardware slowdown"), (0x20, "temperature"), (0x40, "temperature (hardware)"),
            (0x80, "power brake")]


def say(text=""):
    print(text, flush=True)


def tell(**fields):
    """One line for machines."""
    say("@slipway " + json.dumps(fields, ensure_ascii=False))


def sizes_of(text):
    sizes = [int(part) for part in text.split(",") if part.strip()]
    if not sizes or min(sizes) < 1:
        raise argparse.ArgumentTypeError("sizes are whole numbers above 0 with commas between them")
    return sizes


def arguments(argv):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--device", choices=["cpu", "cuda"], required=True)
    parser.add_argument("--threads", type=int, default=0, help="CPU threads; 0: all that the job has")
    parser.add_argument("--sizes", type=sizes_of, default="512,1024,2048,4096")
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--warmup", type=int, default=2)
    parser.add_argument("--dtype", choices=sorted(ITEM_BYTES), default="float32")
    parser.add_argument("--tf32", action="store_true", help="let the GPU round float32 inputs to 10 bits")
    parser.add_argument("--most-seconds", type=float, default=60, help="for one size; at least 3 repeats are made")
    parser.add_argument("--lane", default="", help="the name of this competitor")
    parser.add_argument("--results", default="results", help="a folder for the CSV file")
    options = parser.parse_args(argv)
    if options.repeats < 1 or options.warmup < 0 or options.threads < 0:
        parser.error("--repeats must be 1 or more, --warmup and --threads 0 or more")
    options.lane = options.lane or options.device
    options.threads = options.threads or len(os.sched_getaffinity(0))
    return options


def flops_text(flops):
    """86.13 GFLOPS: decimal prefixes, as the tutorial prints them."""
    for prefix in ["", "K", "M", "G", "T", "P"]:
        if flops < 1000:
            return f"{flops:.2f} {prefix}FLOPS"
        flops /= 1000
    return f"{flops:.2f} EFLOPS"


def gigabytes(n, dtype, matrices=2):
    """The tutorial's figure: two matrices, 2^30 bytes a GB."""
    return matrices * n * n * ITEM_BYTES[dtype] / 2**30


def table_rows(results, dtype):
    return [
        (f"{r['n']}x{r['n']}", f"{gigabytes(r['n'], dtype):.2f}", f"{r['median']:.4f}", flops_text(r["flops"]))
        for r in results
    ]


TITLE = "Matrix Multiplication Test Results"
HEADINGS = ("Matrix Size", "Memory Size (GB)", "Computation Time (s)", "Performance")


def drawn_table(rows):
    """The table as rich draws it."""
    widths = [max(len(row[i]) for row in [HEADINGS, *rows]) for i in range(len(HEADINGS))]

    def line(left, fill, middle, right):
        return left + middle.join(fill * (width + 2) for width in widths) + right

    def cells(row, edge):
        return edge + edge.join(f" {cell:<{width}} " for cell, width in zip(row, widths)) + edge

    top = line("┏", "━", "┳", "┓")
    return "\n".join([
        TITLE.center(len(top)), top, cells(HEADINGS, "┃"), line("┡", "━", "╇", "┩"),
        *[cells(row, "│") for row in rows], line("└", "─", "┴", "┘"),
    ])


def print_table(rows):
    try:
        from rich.console import Console
        from rich.table import Table
    except ImportError:
        say(drawn_table(rows))
        return
    table = Table(title=TITLE)
    for heading in HEADINGS:
        table.add_column(heading)
    for row in rows:
        table.add_row(*row)
    Console(width=120).print(table)
    sys.stdout.flush()


def cpu_name():
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as info:
            names = re.findall(r"^model name\s*:\s*(.+)$", info.read(), re.MULTILINE)
    except OSError:
        names = []
    return names[0] if names else platform.processor() or platform.machine()


def host_bytes_available():
    """Free memory of the node and the job; None if unknown."""
    amounts = []
    try:
        with open("/proc/meminfo", encoding="ascii") as info:
            amounts += [int(kib) * 1024 for kib in re.findall(r"^MemAvailable:\s*(\d+) kB", info.read(), re.MULTILINE)]
    except OSError:
        pass
    if os.environ.get("SLURM_MEM_PER_NODE", "").isdigit():
        amounts.append(int(os.environ["SLURM_MEM_PER_NODE"]) * 2**20)
    return min(amounts) if amounts else None


def readable(text):
    """A number from nvidia-smi, decimal or hexadecimal; None if it reports none."""
    try:
        return int(text, 16) if text.startswith("0x") else float(text)
    except ValueError:
        return None


def gpu_state(torch):
    """Current clock, power, temperature and throttle reasons of the GPU; unknown values are left out."""
    names = ["uuid", "clocks.sm", "clocks.max.sm", "power.draw", "temperature.gpu", "clocks_throttle_reasons.active"]
    try:
        answer = subprocess.run(
            ["nvidia-smi", "--query-gpu=" + ",".join(names), "--format=csv,noheader,nounits"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=20, check=True).stdout.decode()
    except (OSError, subprocess.SubprocessError):
        return {}
    rows = [[cell.strip() for cell in line.split(",")] for line in answer.splitlines() if line.count(",") == len(names) - 1]
    uuid = str(getattr(torch.cuda.get_device_properties(0), "uuid", ""))
    same = [row for row in rows if uuid and uuid in row[0]] or (rows if len(rows) == 1 else [])
    if len(same) != 1:
        return {}
    clock, limit, power, temperature, reasons = (readable(cell) for cell in same[0][1:])
    state = {"clock_limit": limit and limit * 1e6, "power": power, "temperature": temperature}
    if clock:
        state["clock"] = {"median": clock * 1e6}
    if reasons is not None:
        state["throttle"] = [word for bit, word in THROTTLE if int(reasons) & bit]
    return {name: value for name, value in state.items() if value is not None}


class NoGpu(Exception):
    """CUDA was requested but is not available."""


class WrongResult(Exception):
    """The product is wrong."""


class Bench:
    """One lane: a device of torch and the rules of the measurement."""

    def __init__(self, torch, options):
        self.torch = torch
        self.options = options
        self.cuda = options.device == "cuda"
        self.dtype = getattr(torch, options.dtype)

    def prepare(self):
        torch, options = self.torch, self.options
        blas = re.search(r"BLAS_INFO=(\w+)", torch.__config__.show())
        library = f"PyTorch {torch.__version__}, {blas.group(1) if blas else 'unknown'} BLAS"
        self.library = library
        say(f"PyTorch version: {torch.__version__}")
        say(f"Using device: {options.device}")
        if self.cuda:
            if torch.version.cuda is None:
                raise NoGpu(f"this PyTorch ({torch.__version__}) is built without CUDA; take an image with CUDA")
            if not torch.cuda.is_available():
                raise NoGpu("PyTorch finds no GPU: does the job ask for one, and is the container started with --nv?")
            torch.backends.cuda.matmul.allow_tf32 = options.tf32
            name = torch.cuda.get_device_name(0)
            memory = torch.cuda.get_device_properties(0).total_memory
            say(f"CUDA version: {torch.version.cuda}")
            say(f"GPU: {name}")
            say(f"GPU Memory: {memory / 2**30:.2f} GB")
            library += f", CUDA {torch.version.cuda}"
            self.name, self.library = name, f"PyTorch {torch.__version__}, cuBLAS of CUDA {torch.version.cuda}"
            tell(event="device", text=name, lane=options.lane, device="cuda", memory_bytes=memory)
        else:
            torch.set_num_threads(options.threads)
            self.name = cpu_name()
            name = f"{self.name}, {options.threads} thread{'' if options.threads == 1 else 's'}"
            say(f"CPU: {name}")
            tell(event="device", text=name, lane=options.lane, device="cpu", threads=options.threads,
                 cpus=len(os.sched_getaffinity(0)))
        tell(event="library", text=library, lane=options.lane)
        tell(event="protocol", text=self.protocol(), lane=options.lane, dtype=options.dtype, tf32=self.tf32(),
             repeats=options.repeats, warmup=options.warmup)
        say(self.protocol())

    def tf32(self):
        return self.cuda and self.options.dtype == "float32" and self.options.tf32

    def protocol(self):
        options = self.options
        number = options.dtype
        if options.dtype == "float32" and self.cuda:
            number += " (TF32 on: inputs rounded to 10 bits)" if options.tf32 else " (TF32 off)"
        sync = ", the GPU awaited before the clock is read" if self.cuda else ""
        return (f"Protocol: {number}, {options.warmup} products to warm up, then the median of {options.repeats} repeats of "
                f"at least {SHORTEST_REPEAT * 1000:.0f} ms each{sync}; the matrices are in place before; each result is "
                f"checked in float64.")

    def wait(self):
        if self.cuda:
            self.torch.cuda.synchronize()

    def timed(self, a, b, c, products):
        self.wait()
        start = time.perf_counter()
        for _ in range(products):
            self.torch.matmul(a, b, out=c)
        self.wait()
        return (time.perf_counter() - start) / products

    def gpu_bytes_available(self):
        cuda = self.torch.cuda
        if hasattr(cuda, "mem_get_info"):
            return cuda.mem_get_info()[0]
        return cuda.get_device_properties(0).total_memory - cuda.memory_reserved()  # PyTorch before 1.11

    def fits(self, n):
        needed = gigabytes(n, self.options.dtype, matrices=3) * 2**30
        there = self.gpu_bytes_available() if self.cuda else host_bytes_available()
        return there is None or needed < 0.9 * there

    def measure(self, n):
        torch, options = self.torch, self.options
        torch.manual_seed(n)
        a = torch.randn(n, n, device=options.device).to(self.dtype)
        b = torch.randn(n, n, device=options.device).to(self.dtype)
        c = torch.empty(n, n, device=options.device, dtype=self.dtype)
        begun = time.perf_counter()
        first = self.timed(a, b, c, 1)
        for _ in range(options.warmup - 1):
            first = self.timed(a, b, c, 1)
        products = max(1, math.ceil(SHORTEST_REPEAT / max(first, 1e-7)))
        times = []
        while len(times) < options.repeats:
            times.append(self.timed(a, b, c, products))
            if len(times) >= FEWEST_REPEATS and time.perf_counter() - begun > options.most_seconds:
                break
        error, bound = self.error_of(a, b, c)
        median = statistics.median(times)
        state = self.state_under_load(a, b, c, median) if self.cuda else {}
        moved = self.times_with_transfers(a, b, len(times)) if self.cuda else []
        return {"n": n, "times": times, "median": median, "least": min(times), "most": max(times), "moved": moved,
                "flops": 2 * n**3 / median, "error": error, "bound": bound, "products": products, "state": state}

    def state_under_load(self, a, b, c, median):
        """Repeats the products for a second or two while the driver is queried; nothing is timed."""
        for _ in range(min(20000, math.ceil(2 / median))):
            self.torch.matmul(a, b, out=c)
        state = gpu_state(self.torch)
        self.wait()
        return state

    def times_with_transfers(self, a, b, repeats):
        """Matrices to the GPU, one product, the result back: the cost for a program with its data in main memory."""
        rows, columns, times = a.cpu(), b.cpu(), []
        for _ in range(repeats + 1):
            self.wait()
            start = time.perf_counter()
            self.torch.matmul(rows.to(a.device), columns.to(a.device)).cpu()
            self.wait()
            times.append(time.perf_counter() - start)
        return times[1:]  # the first one warms up

    def error_of(self, a, b, c):
        """The largest error of sampled entries, relative to the rounding error, and its limit."""
        torch, n = self.torch, a.shape[0]
        picks = torch.linspace(0, n - 1, min(n, 16), device=a.device).long()
        rows, columns = a[picks].double().cpu(), b[:, picks].double().cpu()
        found = c[picks][:, picks].double().cpu()
        scale = rows.abs() @ columns.abs()
        error = ((found - rows @ columns).abs() / scale.clamp_min(1e-300)).max().item()
        unit = TF32_EPSILON if self.tf32() else EPSILON[self.options.dtype]
        bound = 4 * unit * max(1.0, math.sqrt(n) / 8)
        if not error <= bound:  # also true for NaN
            raise WrongResult(f"{n}x{n}: a sampled entry is off by {error:.1e}, more than {self.options.dtype} explains")
        return error, bound


def report(result, options):
    n, operations = result["n"], 2 * result["n"] ** 3
    common = {"lane": options.lane, "x": n, "x_name": "n", "repeats": len(result["times"])}
    tell(sample="flops", y=result["flops"], unit="FLOP/s", low=operations / result["most"],
         high=operations / result["least"], **common)
    tell(sample="seconds", y=result["median"], unit="s", low=result["least"], high=result["most"], **common)


def write_row(bench, result, options):
    """A row of results/race-….ndjson: every repeat, and how it was measured."""
    os.makedirs(options.results, exist_ok=True)
    n = result["n"]
    row = {
        "id": "race.point", "work": "gemm-tf32" if bench.tf32() else WORKS[options.dtype],
        "lane": "gpu" if bench.cuda else "cpu-1" if options.threads == 1 else "cpu", "label": options.lane,
        "device": "gpu" if bench.cuda else "cpu", "name": bench.name, "node": platform.node(), "t": time.time(), "x": n,
        "operations": 2 * n**3, "bytes": 3 * n * n * ITEM_BYTES[options.dtype], "seconds": result["times"],
        "warmups": max(1, options.warmup), "synchronised": True, "verified": True, "error": result["error"],
        "bound": result["bound"], "library": bench.library, **result["state"],
    }
    if result["moved"]:
        row["seconds_with_transfers"] = result["moved"]
    if not bench.cuda:
        row.update(threads=bench.torch.get_num_threads(), cpus=len(os.sched_getaffinity(0)))
    with open(os.path.join(options.results, f"race-{file_name(options.lane)}.ndjson"), "a", encoding="utf-8") as file:
        file.write(json.dumps(row, ensure_ascii=False) + "\n")


def file_name(lane):
    return re.sub(r"[^A-Za-z0-9._-]+", "-", lane)


def is_out_of_memory(error):
    text = str(error).lower()
    return isinstance(error, MemoryError) or "out of memory" in text or "can't allocate memory" in text


def run_sizes(bench, options, results):
    for n in options.sizes:
        say(f"\nRunning test for matrix size: {n}x{n}")
        say(f"Estimated memory requirement: {gigabytes(n, options.dtype):.2f} GB")
        try:
            if not bench.fits(n):
                raise MemoryError("the three matrices would not fit into the memory that is free")
            result = bench.measure(n)
        except (RuntimeError, MemoryError) as error:
            if not is_out_of_memory(error) and not isinstance(error, MemoryError):
                raise
            say(f"Out of memory: {str(error).splitlines()[0]}")
            say(f"Test failed for size {n}x{n}. Skipping to next size.")
            tell(event="out-of-memory", text=f"{n}x{n} does not fit into memory", lane=options.lane, n=n)
            continue
        results.append(result)
        report(result, options)
        write_row(bench, result, options)


def write_csv(results, options):
    os.makedirs(options.results, exist_ok=True)
    name = os.path.join(options.results, f"matmul-{file_name(options.lane)}.csv")
    with open(name, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["lane", "device", "dtype", "n", "median_s", "least_s", "most_s", "flops", "repeats",
                         "products_each", "relative_error"])
        for r in results:
            writer.writerow([options.lane, options.device, options.dtype, r["n"], r["median"], r["least"], r["most"],
                             r["flops"], len(r["times"]), r["products"], r["error"]])
    return name


def main(argv):
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(encoding="utf-8", errors="replace")
    options = arguments(argv)
    if options.device == "cpu":  # each BLAS reads its own variable, and only while it is loaded
        for variable in ["OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"]:
            os.environ[variable] = str(options.threads)
    say("PyTorch Matrix Multiplication Test for Large Matrices")
    try:
        import torch
    except ImportError as error:
        print(f"Error: this image has no PyTorch: {error}", file=sys.stderr, flush=True)
        return 1

    bench, results, code = Bench(torch, options), [], 0
    try:
        bench.prepare()
        run_sizes(bench, options, results)
    except NoGpu as error:
        print(f"Error: {error}", file=sys.stderr, flush=True)
        tell(event="no-gpu", text=str(error), lane=options.lane)
        return 3
    except WrongResult as error:
        print(f"Error: wrong result: {error}", file=sys.stderr, flush=True)
        tell(event="wrong-result", text=str(error), lane=options.lane)
        code = 1
    if not results:
        say("No size could be measured.")
        return 1
    say()
    print_table(table_rows(results, options.dtype))
    name = write_csv(results, options)
    say(f"Table saved as '{name}'")
    tell(event="done", text=f"{len(results)} of {len(options.sizes)} sizes measured", lane=options.lane, code=code)
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
