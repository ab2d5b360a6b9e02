#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""hostile_text.py HEDDLE TRACED ACCESSED SOURCE: runs every command that reads a measurement, with every option of its
help, on measurements with hostile text in all text fields, as a program and on a terminal, and checks each byte of what
is printed or written. Commands and options are read from the help, so new ones are covered: an option with an argument
that this script does not know is a failure."""
import gzip
import os
import pty
import re
import shutil
import sqlite3
import subprocess
import sys

PATIENCE = float(os.environ.get("HEDDLE_TEST_SECONDS", 240))  # seconds until a program counts as hung
heddle, traced, accessed, source = sys.argv[1:]
MEASURES = {"run", "doctor", "cc", "c++", "upcc", "help"}  # these read no measurement
INTERACTIVE = {"browse"}  # uses curses, and has its own escaping: tests/browse
# Arguments by command and option, otherwise by the word in the help.
ARGUMENTS = {
    "KEY": ["variable", "line", "pair", "thread", "variable,line"], "PCT": ["0"], "N": ["1"], "TIME": ["1us"],
    "NAME[#N]": ["step"], "FRACTION": ["0.5"], "P": ["0.05"], "FORMAT": [],
    "FUNCTION": ["main"], "FILE:LINE": [source + ":1"], "LIST": ["1"], "POLICY": ["strict"], "COMMAND": ["true"],
    "FLAGS": ["-O1"], "NAME=N,N,...": ["n=1"], "NAME=LAW": ["main=1"],
    "SCALES": ["-t 1"], "OPTIONS": ["--sample-hz 100"], "WHEN": ["never"],
}
UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u2028-\u202e\u2066-\u2069]")
STYLES = re.compile(r"\x1b\[(0|1|2|33|1;31|36|35)m|\r\x1b\[K|\r(?=\n)")
failed = []
runs = 0


def complain(words, what):
    failed.append(what)
    print("FAILED:", " ".join(words), ":", what)


def look(words, data, terminal=False):
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        complain(words, f"not UTF-8: {data[max(0, error.start - 40):error.end + 10]!r}")
        return
    if terminal:
        text = STYLES.sub("", text)
    found = UNSAFE.search(text)
    if found:
        complain(words, repr(text[max(0, found.start() - 60):found.end() + 20]))
    if re.search(r"^FORGED", text, re.M):
        complain(words, "text breaks lines")


def run(*words):
    global runs
    runs += 1
    done = subprocess.run([heddle, *words], stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE, check=False)
    look(words, done.stdout)
    look(words, done.stderr)
    if done.returncode < 0 or done.returncode > 7:
        complain(words, f"status {done.returncode}")
    return done


def run_on_terminal(*words):
    global runs
    runs += 1
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ["TERM"] = "xterm-256color"
        os.execv(heddle, [heddle, *words])
    data = b""
    while True:
        try:
            piece = os.read(terminal, 65536)
        except OSError:
            break
        if not piece:
            break
        data += piece
    os.close(terminal)
    os.waitpid(pid, 0)
    look(words, data, True)


def entries(text, heading):
    """The first words of a list in the help."""
    lines = iter(text.splitlines())
    for line in lines:
        if line == heading:
            break
    found = []
    for line in lines:
        if not line.strip():
            break
        if re.match(r"  \S", line):
            found.append(line[2:])
    return found


def written(words, path):
    """Checks what an option wrote: text, or a special format."""
    for folder, _, names in os.walk(path) if os.path.isdir(path) else [(".", [], [path])]:
        for name in names:
            with open(os.path.join(folder, name), "rb") as file:
                data = file.read()
            if data[:2] == b"\x1f\x8b":
                data = gzip.decompress(data)
            if data[:6] == b"SQLite":
                base = sqlite3.connect(path)
                for (table,) in base.execute("select name from sqlite_master where type = 'table'").fetchall():
                    for row in base.execute(f'select * from "{table}"'):
                        look(words, "\n".join(v for v in row if isinstance(v, str)).encode())
                base.close()
            elif b"\x00" in data:
                for piece in (b"\x1b", b"\xc2\x9b31m", b"\xe2\x80\xae"):
                    if piece + b"]0;" in data or b"owned" + piece in data or (len(piece) > 2 and piece in data):
                        complain(words, f"{name} has {piece!r}")
            else:
                look(words, data)
                if not name.endswith(".html"):
                    continue
    shutil.rmtree(path) if os.path.isdir(path) else os.unlink(path)


def arguments(command, option, word, text):
    if word == "FILE" or word == "DIR" and option == "-o":
        return ["written"]
    if word == "FORMAT":
        return [line.split()[0] for line in entries(text, "Formats:")] or ["markdown"]
    if word == "NAME" and option == "--metric":
        return [line.split()[0] for line in entries(text, "Metrics:")]
    if word == "NAME":
        return ["A"]
    if option == "--source-dir":
        return ["."]
    if word not in ARGUMENTS:
        complain([command, option], f"{word}: teach this test what to give")
    return ARGUMENTS.get(word, [])


def operands(command, measurement):
    if command == "diff":
        return [measurement, "--", measurement]
    if command == "tune":
        return [measurement, source, "-o", "tuned.upc"]
    if command == "merge":
        return [measurement, "-o", "merged.heddle"]
    return [measurement]


def try_command(command, measurement, *more):
    if "--run" in more:  # the operand is then a program instead of a measurement
        measurement = "/bin/true"
    for rest in (), ("--html", "written"):
        words = [command, *more, *rest, *operands(command, measurement)]
        if rest and command != "report":
            continue
        run(*words)
        for path in "written", "tuned.upc":  # a merged profile has the paths of modules unchanged
            if os.path.exists(path):
                written(words, path)
    run_on_terminal(command, *more, *operands(command, measurement))
    for path in "tuned.upc", "merged.heddle":
        if os.path.exists(path):
            os.unlink(path)


def main():
    names = [line.split()[0] for line in entries(run("help").stdout.decode(), "Commands:")]
    if "report" not in names or "export" not in names:
        complain(["help"], "the commands are not found")
    for command in names:
        if command in MEASURES or command in INTERACTIVE:
            continue
        text = run("help", command).stdout.decode()
        for measurement in traced, accessed:
            try_command(command, measurement)
            for line in entries(text, "Options:"):
                option, word = (line.split("  ")[0].split() + [""])[:2]
                if option in ("-h,", "-o"):
                    continue
                for argument in arguments(command, option, word, text) if word else [None]:
                    given = [option] if argument is None else [option, argument]
                    if option == "--format":
                        given += ["-o", "written"]
                    if option in ("--by", "--thread", "--variable"):
                        given.append("--accesses")
                    try_command(command, measurement, *given)
    # Messages about files whose names are hostile, too.
    for name in os.listdir("names"):
        for command in "report", "info", "export", "merge", "diff":
            run(*[command, os.path.join("names", name)])
            run_on_terminal(command, os.path.join("names", name))
    print(runs, "runs,", len(failed), "failures")
    if runs < 200 or failed:
        sys.exit(1)


main()
