/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A client that works as NVTX 3's header: it loads the library named by NVTX_INJECTION64_PATH and exports tables of
 * function pointers, which the library fills. It calls each function a known number of times.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

typedef void function(void);

static function *core[16], *core2[16];
static function **core_table[17], **core2_table[17];

struct attributes {
	uint16_t version, size;
	uint32_t category;
	int32_t color_type;
	uint32_t color;
	int32_t payload_type, reserved;
	union {
		uint64_t u64;
		double f64;
	} payload;
	int32_t message_type;
	const void *message;
};

static int get_table(uint32_t module, function ****table, unsigned int *count)
{
	*table = module == 1 ? core_table : module == 5 ? core2_table : NULL;
	*count = 16;
	return *table != NULL;
}

static const void *export(uint32_t number)
{
	static const struct {
		size_t size;
		int (*get)(uint32_t, function ****, unsigned int *);
	} callbacks = {sizeof(callbacks), get_table};
	return number == 1 ? &callbacks : NULL;
}

static void load(void)
{
	const char *path = getenv("NVTX_INJECTION64_PATH");
	void *library = path ? dlopen(path, RTLD_LAZY) : NULL;
	int (*init)(const void *(*)(uint32_t)) =
		library ? (int (*)(const void *(*)(uint32_t)))dlsym(library, "InitializeInjectionNvtx2") : NULL;
	for (int i = 0; i < 16; i++) {
		core_table[i] = &core[i];
		core2_table[i] = &core2[i];
	}
	if (init && !init(export))
		memset(core, 0, sizeof(core));
}

static __attribute__((noinline)) int push(const char *name)
{
	return core[9] ? ((int (*)(const char *))core[9])(name) : 0;
}

static __attribute__((noinline)) int pop(void)
{
	return core[11] ? ((int (*)(void))core[11])() : 0;
}

static __attribute__((noinline)) void in_domain(void)
{
	if (!core2[12])
		return;
	void *domain = ((void *(*)(const char *))core2[12])("solver");
	void *registered = ((void *(*)(void *, const char *))core2[10])(domain, "registered");
	struct attributes of = {3, sizeof(of), 0, 0, 0, 3, 0, {.f64 = 2.5}, 3, registered};
	for (int i = 0; i < 4; i++) {
		of.payload.f64 = i;
		((int (*)(void *, const struct attributes *))core2[4])(domain, &of);
		push("default domain");
		((int (*)(void *))core2[5])(domain); /* differs from the default domain's stack */
		pop();
	}
}

static uint64_t range;

static void *end_range(void *of)
{
	if (core[7])
		((void (*)(uint64_t))core[7])(range);
	return of;
}

int main(int argc, char **argv)
{
	pthread_t other;
	int levels = 0;
	load();
	for (int i = 0; i < 5; i++) {
		levels += push("outer");
		levels += push("inner") * 10;
		levels += pop() * 100;
		levels += pop() * 1000;
	}
	if (core[10]) {
		((int (*)(const wchar_t *))core[10])(L"gr\u00f6\u00dfe");
		pop();
	}
	if (core[2])
		((void (*)(const char *))core[2])("a mark");
	in_domain();
	if (core[5])
		range = ((uint64_t(*)(const char *))core[5])("across threads");
	pthread_create(&other, NULL, end_range, NULL);
	pthread_join(other, NULL);
	for (int i = 0; i < 3; i++)
		pop(); /* there is no open range */
	for (int i = 0; argc > 1 && i < atoi(argv[1]); i++) {
		char name[32];
		snprintf(name, sizeof(name), "label %d", i);
		push(name);
		pop();
	}
	printf("done\n");
	return !core[9] || levels == 550 ? 0 : 1;
}
