/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Both reductions for one type. Only included by reduce.c, which first defines SUFFIX, TYPE and INTEGER (whether there
 * are bitwise operations).
 */
/* Operands narrower than int are promoted and converted back, as in C. NOLINTBEGIN(bugprone-narrowing-conversions) */

/* Combines `value` with `count` more elements. Integers wrap around, as unsigned types do. */
#define FOLD(expression)                     \
	for (uint64_t i = 0; i < count; i++) \
		value = (TYPE)(expression);  \
	return value
#if INTEGER
#define WRAPPED(a, operator, b) ((unsigned long)(a) operator(unsigned long)(b))
#else
#define WRAPPED(a, operator, b) ((a) operator(b))
#endif

static TYPE F(fold)(
	const struct reduction *it, TYPE value, const TYPE *elements, uint64_t count, TYPE (*function)(TYPE, TYPE))
{
	switch (it->operation) {
	case HUPC__ADD:
		FOLD(WRAPPED(value, +, elements[i]));
	case HUPC__MULT:
		FOLD(WRAPPED(value, *, elements[i]));
#if INTEGER
	case HUPC__AND:
		FOLD(value & elements[i]);
	case HUPC__OR:
		FOLD(value | elements[i]);
	case HUPC__XOR:
		FOLD(value ^ elements[i]);
#endif
	case HUPC__LOGAND:
		FOLD(value && elements[i]);
	case HUPC__LOGOR:
		FOLD(value || elements[i]);
	case HUPC__MIN:
		FOLD(elements[i] < value ? elements[i] : value);
	case HUPC__MAX:
		FOLD(elements[i] > value ? elements[i] : value);
	case HUPC__FUNC:
	case HUPC__NONCOMM_FUNC:
		FOLD(function(value, elements[i]));
	default:
		bad_operation(it);
	}
}
#undef FOLD
#undef WRAPPED

/* Combines all elements in order; with `prefixes`, stores every intermediate result. */
static TYPE F(in_order)(const struct reduction *it, TYPE (*function)(TYPE, TYPE), bool prefixes)
{
	struct walk from = walk_from(it->from, it->block, sizeof(TYPE)),
		    to = walk_from(it->to, it->block, sizeof(TYPE));
	uint64_t left = it->count, length, one;
	_Alignas(16) char piece[PIECE];
	TYPE value = 0;
	while (left) {
		const TYPE *elements = read_run(&from, it->call.site, it->name, left, &length, piece);
		bool first = left == it->count;
		if (!prefixes) {
			value = first ? elements[0] : value;
			value = F(fold)(it, value, elements + first, length - first, function);
		}
		for (uint64_t i = 0; prefixes && i < length; i++) {
			value = first && i == 0 ? elements[0] : F(fold)(it, value, elements + i, 1, function);
			hupc__put(next_run(&to, it->call.site, it->name, 1, &one), &value, sizeof(value));
		}
		left -= length;
	}
	return value;
}

/* Reduces this thread's elements; false if it has none. */
static bool F(own)(const struct reduction *it, TYPE (*function)(TYPE, TYPE), TYPE *value)
{
	const TYPE *elements;
	uint64_t length;
	bool any = false;
	for (uint64_t block = first_own_block(it); (elements = own_block(it, block, sizeof(TYPE), &length)) != NULL;
		block += (uint64_t)hupc__threads) {
		*value = any ? *value : elements[0];
		*value = F(fold)(it, *value, elements + !any, length - !any, function);
		any = true;
	}
	return any;
}

/* Combines the partial results of all threads. */
static TYPE F(together)(const struct reduction *it, TYPE (*function)(TYPE, TYPE), unsigned int which)
{
	TYPE value = 0, partial;
	bool any = false;
	for (int t = 0; t < hupc__threads; t++) {
		const struct hupc__thread_control *thread = &hupc__control->thread[t];
		if (!thread->has_partial[which])
			continue;
		memcpy(&partial, thread->partial[which], sizeof(partial));
		value = any ? F(fold)(it, value, &partial, 1, function) : partial;
		any = true;
	}
	return value;
}

/*
 * Combines the partial results over a network, by a binomial tree whose root is the thread that gets the result. A
 * thread combines the values that its children send, then sends the result to its parent. `any`: whether this thread
 * has a value. Returns true if the root has one.
 */
static bool F(by_tree)(const struct reduction *it, TYPE (*function)(TYPE, TYPE), bool any, TYPE *value)
{
	struct {
		TYPE value;
		bool any;
	} partial;
	_Static_assert(sizeof(partial) <= HUPC__PAYLOAD_SIZE, "a message holds it");
	uint64_t threads = (uint64_t)hupc__threads, root = UPCRT_THREAD(it->to);
	uint64_t me = ((uint64_t)hupc__mythread + threads - root) % threads, step = 1;
	for (; step < threads && !(me & step); step <<= 1) {
		if (me + step >= threads)
			continue;
		hupc__queue_receive((int)((me + step + root) % threads), &partial, sizeof(partial));
		if (partial.any)
			*value = any ? F(fold)(it, *value, &partial.value, 1, function) : partial.value;
		any = any || partial.any;
	}
	memset(&partial, 0, sizeof(partial));
	partial.value = *value;
	partial.any = any;
	if (me)
		hupc__queue_send((int)((me - step + root) % threads), &partial, sizeof(partial));
	return any;
}

static void F(reduce)(const struct reduction *it, TYPE (*function)(TYPE, TYPE))
{
	bool mine = UPCRT_THREAD(it->to) == (uint64_t)hupc__mythread, ordered = it->operation == HUPC__NONCOMM_FUNC;
	unsigned int which = turn++ & 1;
	TYPE value = 0;
	hupc__check_range(it->call.site, it->name, it->to, sizeof(TYPE));
	if (!ordered && hupc__network) {
		bool any = F(own)(it, function, &value);
		any = F(by_tree)(it, function, any, &value);
		if (mine && any)
			*(TYPE *)UPCRT_ADDRESS(it->to) = value;
		return;
	}
	if (!ordered) {
		hupc__me()->has_partial[which] = F(own)(it, function, &value);
		memcpy(hupc__me()->partial[which], &value, sizeof(value));
		hupc__meet(it->call.site, it->call.meeting, hupc__digest(it->call.digest, 2));
	}
	if (mine && it->count)
		*(TYPE *)UPCRT_ADDRESS(it->to) =
			ordered ? F(in_order)(it, function, false) : F(together)(it, function, which);
}

void PASTE(upc_all_reduce, SUFFIX)(upcrt_shared to, upcrt_shared from, int operation, size_t count, size_t block,
	TYPE (*function)(TYPE, TYPE), int flags)
{
	struct hupc__site site = hupc__site_take();
	gasp_upc_reduction_t type = PASTE(GASP_UPC_REDUCTION_, SUFFIX);
	struct reduction it = describe(
		&site, HUPC__ALL_REDUCE, type, "upc_all_reduce" TEXT(SUFFIX), to, from, operation, count, block, flags);
	hupc__event(&site, GASP_UPC_ALL_REDUCE, GASP_START, &to, &from, operation, count, block, (void *)function,
		flags, type);
	hupc__collective_enter(&it.call);
	F(reduce)(&it, function);
	hupc__collective_leave(&it.call);
	hupc__event(&site, GASP_UPC_ALL_REDUCE, GASP_END, &to, &from, operation, count, block, (void *)function, flags,
		type);
}

void PASTE(upc_all_prefix_reduce, SUFFIX)(upcrt_shared to, upcrt_shared from, int operation, size_t count, size_t block,
	TYPE (*function)(TYPE, TYPE), int flags)
{
	struct hupc__site site = hupc__site_take();
	gasp_upc_reduction_t type = PASTE(GASP_UPC_REDUCTION_, SUFFIX);
	struct reduction it = describe(&site, HUPC__ALL_PREFIX_REDUCE, type, "upc_all_prefix_reduce" TEXT(SUFFIX), to,
		from, operation, count, block, flags);
	hupc__event(&site, GASP_UPC_ALL_PREFIX_REDUCE, GASP_START, &to, &from, operation, count, block,
		(void *)function, flags, type);
	hupc__collective_enter(&it.call);
	if (UPCRT_THREAD(to) == (uint64_t)hupc__mythread)
		F(in_order)(&it, function, true);
	hupc__collective_leave(&it.call);
	hupc__event(&site, GASP_UPC_ALL_PREFIX_REDUCE, GASP_END, &to, &from, operation, count, block, (void *)function,
		flags, type);
}

#undef SUFFIX
#undef TYPE
#undef INTEGER
/* NOLINTEND(bugprone-narrowing-conversions) */
