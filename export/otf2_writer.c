/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions that all files of the archive writer use; must not call any of them. */
#include "export/otf2_writer.h"

#include <errno.h>

bool export_otf2_failed(struct export_otf2 *otf2, OTF2_ErrorCode code)
{
	if (code == OTF2_SUCCESS)
		return false;
	if (!otf2->error)
		otf2->error = code == OTF2_ERROR_ENOSPC   ? ENOSPC
			      : code == OTF2_ERROR_EDQUOT ? EDQUOT
			      : code == OTF2_ERROR_EACCES ? EACCES
			      : code == OTF2_ERROR_ENOENT ? ENOENT
			      : code == OTF2_ERROR_EMFILE ? EMFILE
			      : code == OTF2_ERROR_ENOMEM ? ENOMEM
							  : EIO;
	return true;
}

bool export_otf2_is_location(const struct export_otf2 *otf2, size_t thread)
{
	const struct profile_thread *row = otf2->request->trace->threads[thread].row;
	return !row || profile_thread_number(row);
}
