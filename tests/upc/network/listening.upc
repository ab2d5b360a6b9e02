/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A job for strangers to connect to: writes the address at which each thread listens to the file named by its first
 * argument, then threads write to each other's memory until the file named by the second one exists.
 */
#include <stdio.h>
#include <unistd.h>
#include <upc_relaxed.h>

extern const char *hupc_network_listening(void);

#define SIZE 512
struct listening {
	char addresses[SIZE];
};
static shared struct listening listening[THREADS];
static shared long numbers[THREADS];
static shared int go_on;

static int tell(const char *path)
{
	FILE *file = MYTHREAD == 0 ? fopen(path, "w") : NULL;
	struct listening it;

	snprintf(it.addresses, SIZE, "%s", hupc_network_listening());
	upc_memput(&listening[MYTHREAD], &it, sizeof it);
	upc_barrier;
	for (int i = 0; file != NULL && i < THREADS; i++) {
		upc_memget(&it, &listening[i], sizeof it);
		fprintf(file, "%s\n", it.addresses);
	}
	return MYTHREAD > 0 || (file != NULL && fputs("all\n", file) >= 0 && fclose(file) == 0);
}

int main(int argc, char **argv)
{
	long number = 0;
	int more;

	if (argc != 3 || !tell(argv[1]))
		return 2;
	do {
		numbers[(MYTHREAD + 1) % THREADS] = ++number;
		if (MYTHREAD == 0)
			go_on = access(argv[2], F_OK) != 0;
		upc_barrier;
		more = go_on;
		if (numbers[MYTHREAD] != number)
			return 1;
		upc_barrier;
	} while (more);
	if (MYTHREAD == 0)
		puts("right");
	return 0;
}
