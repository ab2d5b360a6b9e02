# SPDX-License-Identifier: BSD-3-Clause
import multiprocessing

import heddle


def work(number):
    with heddle.phase("task"):
        heddle.value("number", number)
        return sum(range(1000))


if __name__ == "__main__":
    with heddle.phase("pool"):
        with multiprocessing.get_context("fork").Pool(3) as pool:
            print(sum(pool.map(work, range(12))))
            pool.close()
            pool.join()
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        print(sum(pool.map(work, range(6))))
        pool.close()
        pool.join()
