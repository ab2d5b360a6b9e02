/* SPDX-License-Identifier: BSD-3-Clause */
/* Full paths of files that events name as a compiler was given them. */
#ifndef HEDDLE_PROFILE_VIEW_FILES_H
#define HEDDLE_PROFILE_VIEW_FILES_H

#include "profile/view/view.h"

/*
 * Regions whose file is known as a compiler was given it, "src/cg.upc", get the full path of the one file of the view
 * that ends so, so that all lines of a file are together. 0 or -ENOMEM.
 */
int profile_view_complete_files(struct profile_view *view);

#endif
