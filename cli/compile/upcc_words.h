/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Translates a C compiler's options for other UPC compilers. Berkeley's upcc refuses unknown options and passes only
 * marked ones on to its C compiler and linker. GNU and Clang UPC are C compilers that spell the number of threads
 * differently.
 */
#ifndef HEDDLE_CLI_UPCC_WORDS_H
#define HEDDLE_CLI_UPCC_WORDS_H

#include "cli/base/words.h"

/*
 * Translates arguments of a C compiler, or of upcc itself, for Berkeley's upcc. Prints one line on stderr if dependency
 * files are requested.
 */
void heddle__berkeley_words(const struct heddle_words *arguments, struct heddle_words *words);

/*
 * Translates arguments for GNU UPC and Clang UPC: -T N, -n N, --threads N and -fupc-threads=N become -fupc-threads-N.
 */
void heddle__gnu_words(const struct heddle_words *arguments, struct heddle_words *words);

#endif
