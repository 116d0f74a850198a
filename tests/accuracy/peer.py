# SPDX-License-Identifier: BSD-2-Clause
"""Cycles of pieces by llvm-mca: another model, not the truth."""
import json
import subprocess

MCA, MC = "llvm-mca-19", "llvm-mc-19"
ITERATIONS = 100
TRIPLE = "-triple=x86_64"
END = "f4"  # HLT: no piece has one


def lines(codes):
    """The assembly of each piece, as a list of lines."""
    text = "\n".join(" ".join(f"0x{byte:02x}" for byte in bytes.fromhex(code + END)) for code in codes)
    out = subprocess.run([MC, "--disassemble", TRIPLE, "-mattr=+avx512f"], input=text,
                         capture_output=True, text=True, check=True).stdout
    piece = []
    for line in out.splitlines():
        if line.strip() == "hlt":
            yield piece
            piece = []
        elif line.strip() != ".text":
            piece.append(line)


def total_cycles(core, text, iterations):
    """Cycles of each region of the text, by its name."""
    command = [MCA, TRIPLE.replace("triple", "mtriple"), f"-mcpu={core}", f"-iterations={iterations}",
               "-skip-unsupported-instructions=lack-sched", "-json"]
    out = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    if not out.stdout:
        raise SystemExit(f"llvm-mca: {out.stderr[:300]}")
    return {r["Name"]: r["SummaryView"]["TotalCycles"] for r in json.loads(out.stdout)["CodeRegions"]}


def predict(core, codes):
    """Cycles of each piece that llvm-mca knows: what more iterations cost, without filling the pipeline."""
    text = []
    for n, piece in enumerate(lines(codes)):
        text += [f"# LLVM-MCA-BEGIN p{n}", *piece, f"# LLVM-MCA-END p{n}"]
    text = "\n".join(text) + "\n"
    few, many = (total_cycles(core, text, count) for count in (ITERATIONS, 2 * ITERATIONS))
    return {codes[int(name[1:])]: (many[name] - few[name]) / ITERATIONS for name in few}
