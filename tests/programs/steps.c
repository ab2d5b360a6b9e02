/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * steps STEP...: executes the steps in order.
 *   until:FILE     computes in multiply_row until the file exists
 *   print:COUNT    prints that many numbered lines, by a write() each
 *   flood:FILE     prints numbered lines, a millisecond apart, until the file exists
 *   pieces:FILE    prints lines "red" in red, each escape sequence in two pieces, until the file exists
 *   dots:COUNT     prints COUNT dots in one line, some milliseconds apart
 *   error:TEXT     prints a line to standard error
 *   fork:COUNT     COUNT children execute the remaining steps; the parent waits for them, then ends with status 0
 *   exec           replaces the program by itself, which executes the remaining steps
 *   keys, lines    the terminal delivers single keys, as for a full-screen program; lines again
 *   page:ROWS      prints a screen of ROWS rows at once, as pagers do
 *   abort          ends by SIGABRT
 *   exit:STATUS    ends
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

static volatile double sum;

__attribute__((noinline)) static void multiply_row(void)
{
	for (int i = 0; i < 1000000; i++)
		sum += i * 0.5;
}

static void print_lines(int count)
{
	for (int i = 1; i <= count; i++) {
		char text[64];
		int length = snprintf(text, sizeof(text), "line %d of %d\n", i, count);
		if (write(STDOUT_FILENO, text, (size_t)length) != length)
			exit(1);
	}
}

static void pause_ms(long ms)
{
	nanosleep(&(struct timespec){.tv_nsec = ms * 1000000}, NULL);
}

static void put(const char *text)
{
	if (write(STDOUT_FILENO, text, strlen(text)) < 0)
		exit(1);
}

static void flood(const char *file)
{
	for (int i = 1; access(file, F_OK) != 0; i++) {
		char text[64];
		snprintf(text, sizeof(text), "flood %d\n", i);
		put(text);
		pause_ms(1);
	}
}

static void print_pieces(const char *file)
{
	while (access(file, F_OK) != 0) {
		put("\033[3");
		pause_ms(2);
		put("1mred\033[");
		pause_ms(2);
		put("0m\n");
		pause_ms(50);
	}
}

static void print_dots(int count)
{
	for (int i = 0; i < count; i++) {
		put(".");
		pause_ms(5);
	}
	put("\n");
}

static void read_keys(int on)
{
	struct termios modes;
	if (tcgetattr(STDIN_FILENO, &modes) != 0)
		exit(1);
	modes.c_lflag = on ? modes.c_lflag & ~(tcflag_t)(ICANON | ECHO) : modes.c_lflag | ICANON | ECHO;
	tcsetattr(STDIN_FILENO, TCSANOW, &modes);
}

static void print_page(int rows)
{
	char text[4096] = "\033[H\033[2J";
	size_t length = strlen(text);
	for (int i = 1; i < rows; i++)
		length += (size_t)snprintf(text + length, sizeof(text) - length, "row %d\n", i);
	snprintf(text + length, sizeof(text) - length, "the last row");
	put(text);
}

static void start_children(int count)
{
	for (int i = 0; i < count; i++)
		if (fork() == 0)
			return;
	while (wait(NULL) > 0)
		;
	exit(0);
}

static void take(char **step, char *program)
{
	char *colon = strchr(*step, ':'), *value = colon ? colon + 1 : *step;
	if (strncmp(*step, "until:", 6) == 0)
		while (access(value, F_OK) != 0)
			multiply_row();
	else if (strncmp(*step, "print:", 6) == 0)
		print_lines(atoi(value));
	else if (strncmp(*step, "flood:", 6) == 0)
		flood(value);
	else if (strncmp(*step, "pieces:", 7) == 0)
		print_pieces(value);
	else if (strncmp(*step, "dots:", 5) == 0)
		print_dots(atoi(value));
	else if (strncmp(*step, "error:", 6) == 0)
		fprintf(stderr, "%s\n", value);
	else if (strncmp(*step, "fork:", 5) == 0)
		start_children(atoi(value));
	else if (strcmp(*step, "exec") == 0) {
		*step = program;
		execv(program, step);
	} else if (strcmp(*step, "keys") == 0 || strcmp(*step, "lines") == 0)
		read_keys(**step == 'k');
	else if (strncmp(*step, "page:", 5) == 0)
		print_page(atoi(value));
	else if (strcmp(*step, "abort") == 0) {
		setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
		abort();
	} else if (strncmp(*step, "exit:", 5) == 0)
		exit(atoi(value));
	else
		exit(99);
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		take(&argv[i], argv[0]);
	return 0;
}
