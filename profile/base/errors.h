/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Errors of reading a measurement, as negative errno values: functions of profile/ and export/ return 0, one of these,
 * or an error of the system (-ENOENT, -EACCES, -ENOMEM, ...). Only cli/ turns them into sentences.
 */
#ifndef HEDDLE_PROFILE_ERRORS_H
#define HEDDLE_PROFILE_ERRORS_H

#include <errno.h>

#define HEDDLE_FOREIGN EMEDIUMTYPE   /* not a profile of Heddle at all */
#define HEDDLE_TRUNCATED ENODATA     /* ends before its END section */
#define HEDDLE_CORRUPTED EBADMSG     /* a checksum is wrong */
#define HEDDLE_INCONSISTENT EPROTO   /* checksums are right, contents are inconsistent */
#define HEDDLE_NEWER EPROTONOSUPPORT /* written by a newer Heddle: has an unknown version, kind or metric */
#define HEDDLE_EMPTY ENOMSG          /* a directory without profiles */
#define HEDDLE_MERGED ENOTUNIQ       /* merged: has no values of single threads */
#define HEDDLE_RENAMED ESTALE        /* its statistics belong to other names than those shown now */
#define HEDDLE_TOO_BIG EFBIG         /* over the reader's limits */
#define HEDDLE_INFLATED EOVERFLOW    /* decompresses to far more than a profile of its size */
#define HEDDLE_HOLLOW ENOSTR         /* consists mostly of holes, which read as zeros */

#endif
