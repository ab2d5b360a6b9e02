/* SPDX-License-Identifier: BSD-3-Clause */
/* A program with Caliper's C++ objects, which are declared as in its headers; with LIBRARY, the stand-in for Caliper's
 * library. */
#include <cstdint>
#include <cstdio>

namespace cali
{

class Function
{
      public:
	Function(const char *name);
	~Function();

      private:
	const char *name_;
};

class Loop
{
      public:
	Loop(const char *name);
	~Loop();
	void end();

      private:
	const char *name_;
};

} // namespace cali

extern "C" void cali_begin_string(uint64_t attribute, const char *text);
extern "C" void cali_begin_int(uint64_t attribute, int number);
extern "C" void cali_end(uint64_t attribute);

#ifdef LIBRARY
cali::Function::Function(const char *name) : name_(name)
{
}

cali::Function::~Function()
{
	std::printf("%s\n", name_);
}

cali::Loop::Loop(const char *name) : name_(name)
{
}

cali::Loop::~Loop()
{
}

void cali::Loop::end()
{
	std::printf("%s ends\n", name_);
}

void cali_begin_string(uint64_t, const char *)
{
}

void cali_begin_int(uint64_t, int)
{
}

void cali_end(uint64_t attribute)
{
	std::printf("%d\n", (int)attribute);
}
#else
static void work(int i)
{
	cali::Function mark("work");
	if (i == 1)
		throw i;
}

int main()
{
	cali::Loop loop("objects");
	for (int i = 0; i < 3; i++) {
		try {
			work(i);
		} catch (int) {
		}
	}
	loop.end();
	cali_begin_string(7, "attributes");
	for (int i = 0; i < 4; i++) {
		cali_begin_int(8, i);
		work(0);
		cali_end(8);
	}
	cali_end(7);
	work(0);
}
#endif
