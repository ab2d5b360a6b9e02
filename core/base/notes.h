/* SPDX-License-Identifier: BSD-3-Clause */
/* Notes of the measurement: lines for the user that go into the profile and are shown with the report. */
#ifndef HEDDLE_CORE_NOTES_H
#define HEDDLE_CORE_NOTES_H

/*
 * Add a note. `text` is not copied and must stay valid; a text that is already there is not added again. Notes beyond
 * the eighth are dropped. Context: any thread, signal.
 */
void heddle__note(const char *text);

/* The note with that index (0, 1, ...), or NULL after the last one. Context: any thread, signal. */
const char *heddle__note_text(unsigned int index);

#endif
