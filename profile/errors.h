/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What can be wrong with a measurement, as negative errno values: functions of profile/ and export/ return 0 or one of
 * these, or the system's own (-ENOENT, -EACCES, -ENOMEM, ...). Only cli/ makes sentences of them.
 */
#ifndef HEDDLE_PROFILE_ERRORS_H
#define HEDDLE_PROFILE_ERRORS_H

#include <errno.h>

#define HEDDLE_FOREIGN EMEDIUMTYPE   /* not a profile of Heddle at all */
#define HEDDLE_TRUNCATED ENODATA     /* ends before its END section */
#define HEDDLE_CORRUPTED EBADMSG     /* a check sum is wrong */
#define HEDDLE_INCONSISTENT EPROTO   /* check sums right, contents contradict themselves */
#define HEDDLE_NEWER EPROTONOSUPPORT /* written by a newer Heddle: a version, kind or metric unknown here */
#define HEDDLE_EMPTY ENOMSG          /* a directory without profiles */
#define HEDDLE_MERGED ENOTUNIQ       /* merged: it has no values of single threads */
#define HEDDLE_RENAMED ESTALE        /* its statistics are of other names than those there are now */
#define HEDDLE_TOO_BIG EFBIG         /* over the reader's limits */

#endif
