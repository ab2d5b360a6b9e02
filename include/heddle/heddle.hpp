/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls for measured C++ programs, for C++11 and later. Nothing has to be linked; without Heddle in the process, every
 * call does nothing. These calls do not report errors; those of heddle.h return them.
 *
 *     {
 *         heddle::phase phase("solve"); // ends with the block, by an exception, too
 *         heddle::value("residual", r);
 *     }
 */
#ifndef HEDDLE_HEDDLE_HPP
#define HEDDLE_HEDDLE_HPP

#include <string>
#include <utility>

#include "heddle.h"

namespace heddle
{

/* A phase of the calling thread for the lifetime of the object. Objects must nest, and stay within one thread. */
class phase
{
      public:
	/* `name` must live as long as the object. */
	explicit phase(const char *name) noexcept : name_(name)
	{
		heddle_phase_begin(name_);
	}

	explicit phase(std::string name) : own_(std::move(name)), name_(own_.c_str())
	{
		heddle_phase_begin(name_);
	}

	~phase()
	{
		heddle_phase_end(name_);
	}

	phase(const phase &) = delete;
	phase &operator=(const phase &) = delete;

      private:
	std::string own_;
	const char *name_;
};

/* Like heddle_value. */
inline void value(const char *name, double number) noexcept
{
	heddle_value(name, number);
}

/* Stops measurement of the whole process for the lifetime of the object, by heddle_stop and heddle_start. */
class pause
{
      public:
	pause() noexcept
	{
		heddle_stop();
	}

	~pause()
	{
		heddle_start();
	}

	pause(const pause &) = delete;
	pause &operator=(const pause &) = delete;
};

} // namespace heddle

#endif
