/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * `heddle --completions SHELL`, which the installation calls: scripts for shells, made from the tables that --help
 * prints.
 */
#include "cli/completions.h"

#include "export/formats.h"
#include "profile/file/metric.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

struct all {
	const struct heddle_command *const *commands;
	size_t count;
};

/*
 * Prints text in single quotes, in which shells expand nothing; `escaped` is preceded by a backslash, quotes are left
 * out.
 */
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

/* ---- values of options ---- */

#define VALUES 4096 /* bytes */

static void add_value(char *values, const char *value, size_t length)
{
	size_t used = strlen(values);
	snprintf(values + used, VALUES - used, "%s%.*s", used ? " " : "", (int)length, value);
}

/* Adds the words of "cpu|wall". Words in capital letters are placeholders, as in "llvm|PATH". */
static void add_choices(char *values, const char *argument)
{
	for (const char *at = argument, *end; *at; at = *end ? end + 1 : end) {
		end = at + strcspn(at, "|");
		if (islower((unsigned char)*at))
			add_value(values, at, (size_t)(end - at));
	}
}

static void add_metrics(char *values)
{
	enum heddle_metric order[HEDDLE_METRIC_LIMIT];
	size_t count = profile_metric_order(order);
	for (size_t i = 0; i < count; i++)
		add_value(values, profile_metric_name(order[i]), strlen(profile_metric_name(order[i])));
}

/* Values of options whose argument is a placeholder; `command` NULL: in all commands that have the option. */
static const struct {
	const char *command, *option, *values;
} known[] = {
	{NULL, "--color", "always|never|auto"},
	{"report", "--format", "text|markdown"},
	{"report", "--by", "variable|line|pair|thread|variable,line|thread,variable|pair,variable"},
	{"diff", "--format", "text|markdown|junit"},
	{"scale", "--format", "text|json|extrap"},
};

/* Lists the values of an option, separated by blanks; "": none is known. */
static void list_values(char values[VALUES], const struct heddle_command *command, const struct heddle_option *option)
{
	*values = '\0';
	if (!option->argument)
		return;
	if (strchr(option->argument, '|'))
		add_choices(values, option->argument);
	else if (strcmp(option->name, "--metric") == 0 && command->lists_metrics)
		add_metrics(values);
	else if (strcmp(command->name, "export") == 0 && strcmp(option->name, "--format") == 0)
		for (size_t i = 0; export_formats[i]; i++)
			add_value(values, export_formats[i]->name, strlen(export_formats[i]->name));
	for (size_t i = 0; !*values && i < sizeof(known) / sizeof(*known); i++)
		if (strcmp(option->name, known[i].option) == 0 &&
			(!known[i].command || strcmp(command->name, known[i].command) == 0))
			add_choices(values, known[i].values);
}

/* Prints a line for each option with known values, by a format of command, option and values. */
static void print_values(const struct all *all, const char *format)
{
	char values[VALUES];
	for (size_t i = 0; i < all->count; i++)
		for (const struct heddle_option *option = all->commands[i]->options; option && option->help; option++) {
			list_values(values, all->commands[i], option);
			if (is_listed(option) && *values)
				printf(format, all->commands[i]->name, option->name, values);
		}
}

/* ---- shells ---- */

static void print_bash(const struct all *all)
{
	/* For bash, an equals sign is a separate word. */
	puts("# Completions of heddle for bash.\n"
	     "_heddle() {\n"
	     "\tlocal word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words=\n"
	     "\tif [[ $word == = ]]; then\n"
	     "\t\tword=\n"
	     "\telif [[ $before == = ]]; then\n"
	     "\t\tbefore=${COMP_WORDS[COMP_CWORD-2]}\n"
	     "\tfi\n"
	     "\tcase \"${COMP_WORDS[1]} $before\" in");
	print_values(all, "\t'%s %s') words='%s' ;;\n");
	puts("\tesac\n"
	     "\tif [[ $words ]]; then\n"
	     "\t\t:\n"
	     "\telif ((COMP_CWORD == 1)) || [[ $before == help ]]; then");
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
	puts("#compdef heddle\n"
	     "# Completions of heddle for zsh.\n"
	     "local -a found\n"
	     "local before=$words[CURRENT-1]\n"
	     "if [[ $words[CURRENT] == --*=* ]]; then\n"
	     "\tbefore=${words[CURRENT]%%=*}\n"
	     "\tcompset -P '*='\n"
	     "fi\n"
	     "if ((CURRENT == 2)) || [[ $before == help ]]; then\n"
	     "\tfound=(");
	for (size_t i = 0; i < all->count; i++) {
		printf("\t\t'%s:", all->commands[i]->name);
		print_quoted(all->commands[i]->summary, ':');
		puts("'");
	}
	puts("\t\t'help:Say more about a command'\n\t)\n\t_describe command found\n\treturn\nfi\ncase \"$words[2] "
	     "$before\" in");
	print_values(all, "'%s %s') compadd -- ${=:-%s}; return ;;\n");
	puts("esac\ncase $words[2] in");
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
	char values[VALUES];
	puts("# Completions of heddle for fish.");
	for (size_t i = 0; i < all->count; i++) {
		printf("complete -c heddle -n __fish_use_subcommand -f -a %s -d '", all->commands[i]->name);
		print_quoted(all->commands[i]->summary, 0);
		puts("'");
	}
	puts("complete -c heddle -n __fish_use_subcommand -f -a help -d 'Say more about a command'");
	fputs("complete -c heddle -n '__fish_seen_subcommand_from help' -f -a '", stdout);
	for (size_t i = 0; i < all->count; i++)
		printf("%s%s", i ? " " : "", all->commands[i]->name);
	puts("'");
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
			list_values(values, all->commands[i], option);
			if (*values)
				printf("' -f -a '%s", values);
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
