/* SPDX-License-Identifier: BSD-3-Clause */
/* See the header. Scripts are not parsed: it is enough if a launcher's name occurs as a word. */
#include "cli/run/launch_words.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "format/pattern.h"
#include "profile/base/regular_file.h"

#define SCRIPT_MOST 262144 /* bytes of a script that are read */

static const char *const launchers[] = {"mpirun{,.*,_rsh,-*}", "mpiexec{,.*,-*}", "orterun", "prterun{,-*}", "prun",
	"oshrun{,.*}", "shmemrun", "srun", "aprun", "jsrun", "ibrun"};

/* They execute commands from a file or an argument. */
static const char *const interpreters[] = {
	"{,ba,da,z,k,tc,c,fi}sh", "python*", "perl*", "ruby*", "env", "make", "gmake", "tclsh*"};

static bool is_one_of(const char *const patterns[], size_t count, const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	for (size_t i = 0; i < count; i++)
		if (heddle__pattern_matches(patterns[i], name))
			return true;
	return false;
}

bool heddle__is_launcher_name(const char *path)
{
	return is_one_of(launchers, sizeof(launchers) / sizeof(*launchers), path);
}

static bool is_interpreter(const char *path)
{
	return is_one_of(interpreters, sizeof(interpreters) / sizeof(*interpreters), path);
}

static bool is_of_word(unsigned char letter)
{
	return isalnum(letter) || (letter && strchr("_-./+", letter));
}

/*
 * True if the text contains a launcher's name. A word consists of letters, digits and a few signs; of a path, the last
 * part counts.
 */
static bool names_launcher(const char *text)
{
	char word[256];
	while (*text != '\0') {
		size_t length = 0;

		while (is_of_word((unsigned char)text[length]))
			length++;
		if (length > 0 && length < sizeof word) {
			memcpy(word, text, length);
			word[length] = '\0';
			if (heddle__is_launcher_name(word))
				return true;
		}
		text += length > 0 ? length : 1;
	}
	return false;
}

/* A binary file counts up to its first null byte, which comes early. */
static bool file_names_launcher(const char *path)
{
	static char text[SCRIPT_MOST + 1];
	int file = profile_open_regular(path);
	ssize_t size = file < 0 ? 0 : read(file, text, SCRIPT_MOST);
	if (file >= 0)
		close(file);
	text[size > 0 ? size : 0] = '\0';
	return names_launcher(text);
}

/* Checks the arguments of an interpreter: `-c TEXT`, or a script; and the files that `make` reads by default. */
static bool interpreter_names_launcher(char *const arguments[])
{
	for (size_t i = 1; arguments[i]; i++) {
		if (access(arguments[i], R_OK) == 0 && file_names_launcher(arguments[i]))
			return true;
		if (names_launcher(arguments[i]))
			return true;
	}
	return heddle__pattern_matches("*make", arguments[0]) &&
	       (file_names_launcher("GNUmakefile") || file_names_launcher("makefile") ||
		       file_names_launcher("Makefile"));
}

bool heddle__launch_words_are_in(const struct heddle_program *program, char *const arguments[])
{
	if (!program->elf && file_names_launcher(program->path))
		return true;
	if (is_interpreter(arguments[0]) && interpreter_names_launcher(arguments))
		return true;
	for (size_t i = 1; arguments[i]; i++) {
		if (heddle__is_launcher_name(arguments[i]))
			return true;
		if (is_interpreter(arguments[i]) && interpreter_names_launcher(arguments + i))
			return true;
	}
	return false;
}

void heddle__launch_words_say(const struct heddle_run_profiles *profiles)
{
	bool found = false;
	for (size_t i = 0; !found && i < profiles->count; i++)
		found = profiles->items[i].process && heddle__is_launcher_name(profiles->items[i].process->program);
	if (found)
		fputs("heddle: calls of MPI were not measured, because a program started the launcher: add --models "
		      "mpi, or with other models --models mpi,openmp\n",
			stderr);
}
