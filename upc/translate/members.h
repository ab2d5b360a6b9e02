/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Members of structures, found by name only: no types are known, so a name stands for every structure with such a
 * member.
 */
#ifndef UPC_TRANSLATE_MEMBERS_H
#define UPC_TRANSLATE_MEMBERS_H

#include "upc/translate/tokens.h"

/* The last member, a token, that the expression from FIRST to LAST names outside of brackets; -1: none. */
int upc__last_member(const struct tokens *tokens, int first, int last);
/* The number of indices in brackets that follow a name, a token. */
int upc__indices_after(const struct tokens *tokens, int name);
/*
 * The number of bounds of the member with that name (a token) in any structure; many if its type is a typedef; 0: no
 * array.
 */
int upc__member_dimensions(const struct tokens *tokens, int name);

/* Whether a word, a token, is declared as a type anywhere. */
bool upc__is_typedef(const struct tokens *tokens, int word);

/* Narrows the range from *FIRST to *LAST to what is inside all parentheses around it. */
void upc__strip_parentheses(const struct tokens *tokens, int *first, int *last);

/*
 * &p->x, &a[i].x[3], p->array, p->array + 3: whether the range is an address inside an element. Not &p->pointer[3], nor
 * a member that is itself a pointer.
 */
bool upc__is_inner_address(const struct tokens *tokens, int first, int last);

#endif
