/* SPDX-License-Identifier: BSD-3-Clause */
/* `heddle --completions SHELL`, which the installation calls: texts for shells, made of the tables that --help prints.
 */
#include "cli/completions.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

struct all {
	const struct heddle_command *const *commands;
	size_t count;
};

/* In single quotes, which shells leave alone; `escaped` gets a backslash before it, quotes are left out. */
static void print_quoted(const char *text, char escaped)
{
	for (; *text; text++) {
		if (*text == escaped)
			putchar('\\');
		if (*text != '\'')
			putchar(*text == '\n' ? ' ' : *text);
	}
}

static bool is_listed(const struct heddle_option *option)
{
	return option->name && option->name[0] == '-';
}

static void print_bash(const struct all *all)
{
	puts("# Completions of heddle for bash.\n"
	     "_heddle() {\n"
	     "\tlocal word=${COMP_WORDS[COMP_CWORD]} words=\n"
	     "\tif ((COMP_CWORD == 1)); then");
	fputs("\t\twords='help --help --version", stdout);
	for (size_t i = 0; i < all->count; i++)
		printf(" %s", all->commands[i]->name);
	puts("'\n\telif [[ $word == -* ]]; then\n\t\tcase ${COMP_WORDS[1]} in");
	for (size_t i = 0; i < all->count; i++) {
		printf("\t\t%s) words='--help", all->commands[i]->name);
		for (const struct heddle_option *option = all->commands[i]->options; option && option->help; option++) {
			if (is_listed(option))
				printf(" %s", option->name);
		}
		puts("' ;;");
	}
	puts("\t\tesac\n\tfi\n"
	     "\tmapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n"
	     "}\n"
	     "complete -o bashdefault -o default -F _heddle heddle");
}

static void print_zsh(const struct all *all)
{
	puts("#compdef heddle\n# Completions of heddle for zsh.\nlocal -a found\nif ((CURRENT == 2)); then\n\tfound=(");
	for (size_t i = 0; i < all->count; i++) {
		printf("\t\t'%s:", all->commands[i]->name);
		print_quoted(all->commands[i]->summary, ':');
		puts("'");
	}
	puts("\t)\n\t_describe command found\n\treturn\nfi\ncase $words[2] in");
	for (size_t i = 0; i < all->count; i++) {
		printf("%s)\n\tfound=('--help:print help'\n", all->commands[i]->name);
		for (const struct heddle_option *option = all->commands[i]->options; option && option->help; option++) {
			if (!is_listed(option))
				continue;
			printf("\t\t'%s:", option->name);
			print_quoted(option->help, ':');
			puts("'");
		}
		puts("\t) ;;");
	}
	puts("esac\nif [[ $words[CURRENT] == -* ]]; then\n\t_describe option found\nelse\n\t_files\nfi");
}

static void print_fish(const struct all *all)
{
	puts("# Completions of heddle for fish.");
	for (size_t i = 0; i < all->count; i++) {
		printf("complete -c heddle -n __fish_use_subcommand -f -a %s -d '", all->commands[i]->name);
		print_quoted(all->commands[i]->summary, 0);
		puts("'");
	}
	for (size_t i = 0; i < all->count; i++) {
		for (const struct heddle_option *option = all->commands[i]->options; option && option->help; option++) {
			if (!is_listed(option))
				continue;
			bool is_long = strncmp(option->name, "--", 2) == 0, is_letter = !is_long && !option->name[2];
			printf("complete -c heddle -n '__fish_seen_subcommand_from %s' -%c %s%s -d '",
				all->commands[i]->name,
				is_long     ? 'l'
				: is_letter ? 's'
					    : 'o',
				option->name + (is_long ? 2 : 1), option->argument ? " -r" : "");
			print_quoted(option->help, 0);
			puts("'");
		}
	}
}

int heddle__completions_print(const char *shell, const struct heddle_command *const *commands, size_t count)
{
	static const struct {
		const char *name;
		void (*print)(const struct all *all);
	} shells[] = {{"bash", print_bash}, {"zsh", print_zsh}, {"fish", print_fish}};
	const struct all all = {commands, count};
	for (size_t i = 0; i < sizeof(shells) / sizeof(*shells); i++) {
		if (strcmp(shell, shells[i].name) != 0)
			continue;
		shells[i].print(&all);
		return 0;
	}
	return -EINVAL;
}
