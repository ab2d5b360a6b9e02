/* What the last check of the lowering finds: instructions that still have a shared address as an operand. */
#include <upc.h>
struct noted {
	int number __attribute__((annotate("note")));
};
shared int number;
shared struct noted noted;

void operands(shared int *pointer)
{
	__asm__ volatile("" ::"r"(number), "r"(pointer));
	__asm__ volatile("" ::"m"(number));   /* refuse: 2 a memory operand of 'asm' cannot be shared */
	__asm__ volatile("" : "=m"(*pointer)); /* refuse: 2 a memory operand of 'asm' cannot be shared */
	__asm__ volatile("" : "+m"(noted));  /* refuse: 2 a memory operand of 'asm' cannot be shared */
	__asm__ volatile("" : "=r"(number));
}

void labels(void)
{
	__asm__ goto("" ::"m"(number)::end); /* refuse: 2 a memory operand of 'asm' cannot be shared */
end:
	noted.number = 1;
}
