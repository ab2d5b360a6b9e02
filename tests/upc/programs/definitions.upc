/* SPDX-License-Identifier: BSD-3-Clause */
/* `shared` may follow the definition of a structure, a union or an enumeration as well as precede it. */
#include <upc.h>
#include "check.h"

enum letter { A, B = 5 } shared letter;
struct plain { int a, b; } shared plain;
union either { int a; } shared either;
struct { int a; } shared unnamed;
struct whole { int a; } shared [] whole[4], *whole_pointer;
struct blocked { int a; } shared [2] blocked[2 * THREADS];
enum several { C = 3 } shared several[THREADS];
struct spread { int a; } shared [*] spread[3 * THREADS];
typedef struct named { int a; } shared named;
typedef struct named_array { int a; } shared [2] named_array[2 * THREADS];
struct packed { char c; int a; } __attribute__((packed)) shared packed;
struct __attribute__((packed)) also_packed { char c; int a; } shared const also_packed = {1, 70000};
struct easy { int a; } relaxed shared easy;
struct easier { int a; } shared relaxed easier;
struct sure { int a; } strict shared sure;
struct outer {
	struct { int b; } shared *member;
	struct inner { int c; } shared [] *inner;
} shared outer;
named by_name;
named_array array_by_name;
struct result { int a; } shared *result_of(struct result shared *p);
struct result shared *result_of(struct result shared *p)
{
	return p;
}
static shared struct result some_result;
void before(void);
void before(void) {} shared int after_function;

/* All threads must see the last thread's writes. */
static void write_all(void)
{
	letter = B;
	plain.a = 1;
	plain.b = 2;
	either.a = 3;
	unnamed.a = 4;
	whole[3].a = 5;
	whole[2].a = 6;
	easy.a = 7;
	easier.a = 8;
	sure.a = 9;
	packed.a = 10;
	by_name.a = 11;
	after_function = 12;
	some_result.a = 13;
	outer.member = (void shared *)&unnamed;
	outer.inner = (void shared *)&whole[3];
	for (int i = 0; i < 2 * THREADS; i++)
		blocked[i].a = array_by_name[i].a = 100 + i;
	for (int i = 0; i < 3 * THREADS; i++)
		spread[i].a = 200 + i;
}

static void check_all(void)
{
	CHECK(letter == B);
	CHECK(plain.a == 1 && plain.b == 2 && either.a == 3 && unnamed.a == 4);
	CHECK(easy.a == 7 && easier.a == 8 && sure.a == 9 && packed.a == 10 && by_name.a == 11);
	CHECK(after_function == 12);
	whole_pointer = &whole[3];
	CHECK(whole_pointer->a == 5 && whole_pointer[-1].a == 6);
	CHECK(result_of(&some_result)->a == 13);
	CHECK(outer.member->b == 4 && outer.inner->c == 5);
	CHECK(also_packed.a == 70000 && sizeof packed == 5);
	for (int i = 0; i < 2 * THREADS; i++) {
		CHECK(blocked[i].a == 100 + i && upc_threadof(&blocked[i]) == (size_t)i / 2);
		CHECK(array_by_name[i].a == 100 + i && upc_threadof(&array_by_name[i]) == (size_t)i / 2);
	}
	for (int i = 0; i < 3 * THREADS; i++)
		CHECK(spread[i].a == 200 + i && upc_threadof(&spread[i]) == (size_t)i / 3);
	for (int i = 0; i < THREADS; i++)
		CHECK(several[i] == C && upc_threadof(&several[i]) == (size_t)i);
}

int main(void)
{
	static struct local { int a; } shared local;
	if (MYTHREAD == THREADS - 1) {
		write_all();
		local.a = 14;
	}
	several[MYTHREAD] = C;
	upc_barrier;
	check_all();
	CHECK(local.a == 14);
	return failures != 0;
}
