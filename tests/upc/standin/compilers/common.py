# SPDX-License-Identifier: BSD-3-Clause
"""Shared by the stand-ins for other UPC compilers. They call a C compiler, and refuse what the real ones refuse, with
the same messages: `heddle upcc` is tested with them where the real ones are not available."""
import os
import subprocess
import sys
import tempfile

HOME = os.path.dirname(os.path.realpath(__file__))
BACKEND = os.environ.get("STANDIN_CC", "gcc")


def give_up(status, text):
    print(text, file=sys.stderr)
    sys.exit(status)


def run(command):
    """Executes a step of the compilation; exits with its status if it fails."""
    done = subprocess.run(command)
    if done.returncode != 0:
        sys.exit(done.returncode)


def runtime(folder, macros, weak):
    """Makes the run-time system's archive in `folder`. `weak`: with its own definitions of a tool's functions."""
    objects = []
    for name in ["runtime"] + (["weak"] if weak else []):
        objects.append(f"{folder}/standin-{name}.o")
        run([BACKEND, "-w", "-c", f"-I{HOME}/include", *macros, f"{HOME}/{name}.c", "-o", objects[-1]])
    run(["ar", "rc", f"{folder}/libstandin.a", *objects])
    return [f"{folder}/libstandin.a"]


def log(name):
    """Records each call, for tests that check the compiler's arguments."""
    if "STANDIN_LOG" in os.environ:
        with open(os.environ["STANDIN_LOG"], "a", encoding="utf-8") as file:
            print(name, *sys.argv[1:], file=file)


def folder():
    return tempfile.TemporaryDirectory(prefix="standin-")
