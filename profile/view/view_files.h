/* SPDX-License-Identifier: BSD-3-Clause */
/* Completes the paths of files that events name as they were given to the compiler. */
#ifndef HEDDLE_PROFILE_VIEW_FILES_H
#define HEDDLE_PROFILE_VIEW_FILES_H

#include "profile/view/view.h"

/*
 * If the file of a region is relative, such as "src/cg.upc", and exactly one full path in the view ends with it,
 * replaces it by that path, so that all lines of a file are together. Returns 0 or -ENOMEM.
 */
int profile_view_complete_files(struct profile_view *view);

#endif
