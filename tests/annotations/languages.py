# SPDX-License-Identifier: BSD-3-Clause
import threading

import heddle


@heddle.phase
def assemble():
    return sum(range(100))


@heddle.phase("a name")
def other():
    return assemble()


with heddle.phase("outer"):
    for i in range(3):
        assemble()
        heddle.value("step", i)
try:
    with heddle.phase("failing"):
        raise ValueError("expected")
except ValueError as error:
    print(error)
thread = threading.Thread(target=other)
thread.start()
thread.join()
print(heddle.start(), heddle.flush() >= 0)
