# SPDX-License-Identifier: BSD-3-Clause
"""Runs the command lines of the documents as they are written.

A command line is a line in a block of code (.md: four blanks; man pages: .Dl; examples: a comment's block) that begins
with a program, after variables. Each block runs in order in its own folder, with the programs, sources and measurements
that documents mention (prepare() below); a block that measures must produce what it reads. For command lines within
prose, the options are looked up in the command's --help.

Lines that cannot run in this test are in EXCEPTIONS, each with its reason. An exception that matches no line is an
error.
"""
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

SOURCE = os.environ["HEDDLE_SOURCE"]
BUILD = os.environ["HEDDLE_BUILD"]
SECONDS = 300

# (document, pattern of the line, reason)
EXCEPTIONS = [
    (r"docs/annotating.md", r"node --perf-basic-prof", "needs node, which no test needs; the test run_code_map makes a map"),
    (r"README\.md|CONTRIBUTING\.md|docs/(html|install|release)\.md",
     r"^(HEDDLE_REGENERATE=1 )?\./dev (demo|test|build|format|lint|bench|package|elsewhere|cross)\b",
     "builds, tests or changes the tree that this test is part of"),
    (r"docs/man/heddle-merge\.1", r"^mpirun ",
     "needs an MPI and 16 ranks; the test merge_command starts ranks by mpirun"),
    (r"docs/upc\.md|docs/man/heddle-upcc\.1", r"^HEDDLE_UPCC=upcc |upcrun ",
     "needs Berkeley UPC, which Debian does not have; the tests upcc_command and run_upcc have stand-ins"),
    (r"docs/upc\.md|docs/man/heddle-upcc\.1", r"^HEDDLE_UPCC=clang-upc ",
     "needs Clang UPC, which Debian does not have; the tests upcc_command and run_upcc have stand-ins"),
    (r"docs/upc\.md", r"--hostfile ", "needs several machines; the test upc_hosts makes two of network namespaces"),
    (r"docs/install\.md", r"^cmake --install ", "the test install does so"),
    (r"docs/scaling\.md|docs/man/heddle-scale\.1", r"--launcher ", "needs an MPI; the test scale_runs has a stand-in"),
    (r"README\.md", r"^mpirun ", "the program here has no MPI; the test guide measures one that has"),
    (r"docs/guide\.md", r".", "the test guide runs them, with the examples"),
    (r"docs/shmem\.md", r"^heddle report out", "the program here has no OpenSHMEM; the tests shmem_* have one"),
    (r"docs/mpi\.md", r"--metric bytes-sent", "the program here has no MPI; the test mpi_exact has one"),
    (r"docs/openmp\.md", r"clang-19 ", "needs clang 19 and its device runtime; the test run_openmp_target compiles so"),
    (r"docs/openmp\.md", r"--metric bytes-put", "follows the line above"),
    (r"README\.md", r"^heddle browse ", "needs a terminal; the tests browse_views, browse_keys, ... have one"),
    (r"docs/remote-accesses\.md", r"^heddle tune out ", "is what heddle advise prints"),
    (r"docs/man/heddle-tune\.1", r"^heddle tune out ", "which loops pay depends on the network; the test tune_command has one"),
]
# Places in documents that only the reader knows.
PLACES = [("/path/to/libheddle.so", f"{BUILD}/lib/libheddle.so"), ("/path/libheddle.so", f"{BUILD}/lib/libheddle.so")]

COMMAND = re.compile(r"^(?:[A-Z_]+=\S+ )*(?:heddle |make\b|mpirun |gcc |clang-\d+ |clang |cmake |\./|\.\./)")
failures = 0


def fail(text):
    global failures
    failures += 1
    print("FAILED:", text)


# ---- extraction: lists of (line number, command line), one for each block ----

def blocks_of_markdown(text):
    block = []
    for number, line in enumerate(text.split("\n") + [""], 1):
        if line.startswith("    "):
            block.append((number, line.strip()))
        elif block:
            yield block
            block = []


def blocks_of_man_page(text):
    block = [(number, line[4:].replace("\\(dq", '"').replace("\\&", ""))
             for number, line in enumerate(text.split("\n"), 1) if line.startswith(".Dl ")]
    if block:
        yield block


def blocks_of_source(text):
    block = []
    for number, line in enumerate(text.split("\n") + [""], 1):
        match = re.match(r"^ \*     (\S.*)", line)
        if match:
            block.append((number, match.group(1)))
        elif block:
            yield block
            block = []


def command_blocks(document):
    with open(os.path.join(SOURCE, document), encoding="utf-8") as file:
        text = file.read()
    reader = (blocks_of_man_page if document.endswith(".1") else
              blocks_of_markdown if document.endswith(".md") else blocks_of_source)
    for block in reader(text):
        lines = [(number, re.sub(r"^\$ ", "", line), line.startswith("$ ")) for number, line in block]
        commands = [(number, line) for number, line, _ in lines if COMMAND.match(line)]
        if commands:
            yield commands, block


def documents():
    names = ["README.md", "CONTRIBUTING.md", "examples/README.md", "bench/README.md", "upc/README.md",
             "upc/runtime/README.md"]
    for pattern in ("docs/*.md", "docs/man/*.1", "examples/*.*", "models/*/README.md"):
        names += sorted(os.path.relpath(name, SOURCE) for name in glob.glob(os.path.join(SOURCE, pattern)))
    return list(dict.fromkeys(name for name in names if os.path.isfile(os.path.join(SOURCE, name))))


# ---- the folder in which a block runs ----

PROGRAM = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
__attribute__((noinline)) double work(int rounds)
{
	double sum = 0;
	for (volatile int i = 0; i < rounds; i++)
		sum += i;
	return sum;
}
int main(void)
{
	double sum = 0;
	for (int i = 0; i < 20; i++) {
		char *block = malloc(1 << 20);
		memset(block, i, 1 << 20);
		sum += block[i];
		if (i % 2)
			free(block);
	}
#pragma omp parallel num_threads(2) reduction(+ : sum)
	for (int i = 0; i < 20; i++) {
		sum += work(200000 + 20000 * i);
#pragma omp critical
		sum += work(20000);
#pragma omp barrier
	}
	printf("%d\n", sum > 0);
	return 0;
}
"""
MAKEFILE = "all: made\nmade: made.c\n\t$(CC) $(CFLAGS) $< -o $@\n"


def run(command, folder, seconds=SECONDS):
    try:
        return subprocess.run(["bash", "-c", command], cwd=folder, env=ENVIRONMENT, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=seconds, text=True, errors="replace")
    except subprocess.TimeoutExpired:
        return None


def must(command, folder):
    done = run(command, folder)
    if done is None or done.returncode != 0:
        sys.exit(f"FAILED: preparing: {command}: {done.stdout if done else 'hangs'}")


def use_less(path, size, smaller):
    """Reduces the work of a program that many documents run."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    if text.count(size) != 1:
        sys.exit(f"FAILED: preparing: {path} has no '{size}' any more")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text.replace(size, smaller))


def prepare(stock, work):
    """Makes, once, what documents assume to exist; each block gets a copy."""
    with open(f"{stock}/prog.c", "w", encoding="utf-8") as file:
        file.write(PROGRAM)
    with open(f"{stock}/made.c", "w", encoding="utf-8") as file:
        file.write("int main(void) { return 0; }\n")
    with open(f"{stock}/Makefile", "w", encoding="utf-8") as file:
        file.write(MAKEFILE)
    shutil.copytree(f"{SOURCE}/examples", f"{stock}/examples")
    use_less(f"{stock}/examples/cg.upc", "atoi(argv[1]) : 16", "atoi(argv[1]) : 2")
    use_less(f"{stock}/examples/cg.upc", "#define ROWS 4096", "#define ROWS 512")
    use_less(f"{stock}/examples/idle_blame.c", "atoi(argv[1]) : 40", "atoi(argv[1]) : 5")
    use_less(f"{stock}/examples/front.c", "atoi(argv[1 + cyclic]) : 100", "atoi(argv[1 + cyclic]) : 20")
    use_less(f"{stock}/examples/Makefile", "UPC = cc cg dot ft histogram hybrid is mg plate sparse stencil uts", "UPC = cc cg")
    for name in os.listdir(f"{SOURCE}/examples"):
        if name.endswith((".c", ".upc", ".cpp", ".f90")):
            shutil.copy(f"{stock}/examples/{name}", stock)
    shutil.copy(f"{stock}/prog.c", f"{stock}/program.c")
    must(f"{os.environ['HEDDLE_CLANG']} -O1 -g -fopenmp prog.c -o prog && cp prog program && gcc -O1 -fopenmp prog.c -o built_by_gcc", stock)
    must("heddle upcc -O2 -g -fopenmp --inst hybrid.upc -lm -o hybrid", stock)
    must("heddle upcc -O2 -g -fopenmp --inst cg.upc -lm -o cg", stock)
    must(f". '{SOURCE}/tests/support/quick_doctor.sh' && HEDDLE_BUILD='{BUILD}' quick_doctor '{work}/quick'", stock)
    must("printf '#!/bin/sh\\ncat\\n' > flamegraph.pl; chmod +x flamegraph.pl", stock)
    must("heddle run --blame --memory --trace -o measured -- ./prog", stock)
    for run in (1, 2, 3): # so that different runs are compared
        must(f"heddle run --blame -o run-{run} -- ./prog", stock)
    for name in ("before", "after", "old-1", "old-2", "old-3", "new-1", "new-2", "new-3", "main-1", "main-2", "branch-1",
                 "branch-2"):
        os.symlink(f"run-{name[-1]}" if name[-1].isdigit() else "measured", f"{stock}/{name}")
    for threads in (1, 2, 3): # so that several scales are compared
        must(f"OMP_NUM_THREADS={threads} heddle run -o threads-{threads} -- ./prog", stock)


def folder_for(block, document, stock, work):
    """Returns the folder for a block. One that measures has no measurement; that of examples/README.md is examples."""
    folder = tempfile.mkdtemp(dir=work)
    shutil.copytree(stock, f"{folder}/here", symlinks=True)
    if not any("heddle run" in line for _, line in block):
        os.symlink("measured", f"{folder}/here/out")
    return f"{folder}/here/examples" if document == "examples/README.md" else f"{folder}/here"


# ---- running ----

used = set()


def has_pages():
    return os.path.exists(f"{BUILD}/html/page.js")


def excepted(document, line):
    if "--html" in line and not has_pages():
        return "this build has no pages"
    for index, (where, pattern, reason) in enumerate(EXCEPTIONS):
        if re.fullmatch(where, document) and re.search(pattern, line):
            used.add(index)
            return reason
    return None


def shape(line):
    return re.sub(r"\d[\d.,e+-]*", "N", line.replace(BUILD, "build/release"))


def head_of_picture():
    """Returns the table's head in the picture of a report that README.md shows."""
    with open(f"{SOURCE}/docs/report.svg", encoding="utf-8") as file:
        head = re.search(r">(total %[^<]*)<", file.read().replace("\u00a0", " "))
    return [head.group(1) if head else "no head of a table in docs/report.svg"]


OWN_COST = "of the CPU time was the measurement's own"


def compare_output(document, number, block, output):
    """Compares a command's output with what the document shows up to the next command: equal lines, except numbers."""
    shown = []
    for _, line in [row for row in block if row[0] > number]:
        if line.startswith("$ "):
            break
        shown.append(line)
    printed = [shape(line) for line in output.split("\n")]
    is_report = "heddle report" in dict(block)[number] and "--html" not in dict(block)[number]
    if is_report:
        shown = [line for line in shown if line.startswith("total %")] or head_of_picture()
    for line in shown:
        if shape(line) not in printed:
            fail(f"{document}:{number}: it does not print '{line}', but:\n{output}")
    for line in printed:
        if OWN_COST in line:  # a busy machine may cause this line in a small run
            continue
        if not is_report and line and line not in [shape(text) for text in shown]:
            fail(f"{document}:{number}: the document lacks a line: '{line}'")


def run_block(document, commands, block, stock, work):
    folder = None
    for number, line in commands:
        reason = excepted(document, line)
        if reason:
            print(f"{document}:{number}: not run: {line}: {reason}")
            continue
        folder = folder or folder_for(commands, document, stock, work)
        command = line
        for place, real in PLACES:
            command = command.replace(place, real)
        if f"$ {line}" == dict(block)[number]: # a transcript, in the folder above build/
            os.makedirs(f"{folder}/build/demo", exist_ok=True)
            if not os.path.exists(f"{folder}/build/release"):
                os.symlink(BUILD, f"{folder}/build/release")
            command = "export OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive; build/release/bin/" + command
        done = run(command, folder)
        if done is None:
            fail(f"{document}:{number}: {line}: hangs")
        elif done.returncode != 0:
            fail(f"{document}:{number}: {line}: ends with {done.returncode}:\n{done.stdout}")
        elif f"$ {line}" == dict(block)[number]:
            compare_output(document, number, block, done.stdout)
    if folder:
        shutil.rmtree(folder)


# ---- options in prose ----

helps = {}


def help_of(command):
    if command not in helps:
        helps[command] = run(f"heddle {command} --help", "/").stdout
    return helps[command]


def check_prose(document):
    with open(os.path.join(SOURCE, document), encoding="utf-8") as file:
        text = file.read()
    found = re.findall(r"`heddle ([a-z+]+)([^`]*)`", text) + re.findall(r"^\.Ql heddle ([a-z+]+)(.*)", text, re.M)
    for command, rest in found:
        if command != "help" and "Usage: heddle " + command not in help_of(command):
            fail(f"{document}: heddle {command}: there is no such command")
            continue
        for option in re.findall(r"(?<![\w-])--[a-z][a-z-]*", rest.split(" -- ")[0]):
            if not re.search(rf"^  (?:-\w, )?{option}\b", help_of(command), re.M):
                fail(f"{document}: heddle {command} has no {option}")
    return len(found)


def main():
    stock, work = tempfile.mkdtemp(), tempfile.mkdtemp()
    count = prose = 0
    try:
        prepare(stock, work)
        ENVIRONMENT["PATH"] = f"{work}/quick/bin:{stock}:{ENVIRONMENT['PATH']}"  # `doctor --network`; flamegraph.pl
        for document in documents():
            prose += check_prose(document)
            for commands, block in command_blocks(document):
                count += len(commands)
                run_block(document, commands, block, stock, work)
    finally:
        shutil.rmtree(stock)
        shutil.rmtree(work)
    for index, (where, pattern, _) in enumerate(EXCEPTIONS):
        if index not in used:
            fail(f"the exception {where}: {pattern} is of no line any more")
    print(f"{count} command lines, {prose} commands in prose, {failures} failed")
    if count < 60 or prose < 30:
        fail("too few were found: is their form another one?")
    return 1 if failures else 0


ENVIRONMENT = {key: value for key, value in os.environ.items()
               if not key.startswith(("HEDDLE_", "OMP_", "MAKE", "MFLAGS")) and key not in ("LD_PRELOAD", "CC", "CXX", "CFLAGS")}
ENVIRONMENT["PATH"] = f"{BUILD}/bin:{ENVIRONMENT['PATH']}"
# Waiting threads sleep, as there may be more threads than processors.
ENVIRONMENT["OMP_WAIT_POLICY"] = "passive"
# Open MPI runs as root in a container, and with more ranks than processors.
ENVIRONMENT |= dict.fromkeys(("OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM",
                              "OMPI_MCA_rmaps_base_oversubscribe"), "1")
sys.exit(main())
