import { lastPerson } from '../lib/session.ts';
import type { DraftFields } from './draft-fields.ts';

/** The text of a person, without the files, which the browser cannot keep. */
export type UnsavedText = Pick<DraftFields, 'inboxId' | 'to' | 'cc' | 'bcc' | 'subject' | 'text' | 'html'>;

/**
 * Keeps what could not be saved because the session had ended, for the same person in the same tab. `draftId` is null for a new message.
 */
export function keepUnsaved(draftId: string | null, fields: DraftFields): void {
  const { inboxId, to, cc, bcc, subject, text, html } = fields;
  const kept: UnsavedText = { inboxId, to, cc, bcc, subject, text, html };
  try {
    sessionStorage.setItem(storageKey(draftId), JSON.stringify(kept));
  } catch {
    // The storage of the browser is full or switched off.
  }
}

/** Returns what was kept, and removes it; null for nothing. */
export function takeUnsaved(draftId: string | null): UnsavedText | null {
  try {
    const kept = sessionStorage.getItem(storageKey(draftId));
    sessionStorage.removeItem(storageKey(draftId));
    return kept === null ? null : (JSON.parse(kept) as UnsavedText);
  } catch {
    return null;
  }
}

function storageKey(draftId: string | null): string {
  return `console-unsaved ${lastPerson()} ${draftId ?? 'new'}`;
}
