/* SPDX-License-Identifier: BSD-3-Clause */
#include <heddle/heddle.hpp>

#include <cstdio>

static int fails(int i)
{
	heddle::phase phase("throwing");
	if (i % 2)
		throw i;
	return i;
}

int main()
{
	int caught = 0;
	heddle::phase all(std::string("all ") + "of it");
	for (int i = 0; i < 8; i++) {
		try {
			fails(i);
		} catch (int) {
			caught++;
		}
		heddle::value("step", i);
	}
	{
		heddle::pause pause;
		heddle::phase unseen("unseen");
	}
	std::printf("%d\n", caught);
}
