import type { Draft, Postrider } from 'postrider';
import { purposeOf } from './draft-fields.ts';
import { DraftSaver } from './draft-saver.ts';
import { draftStore } from './draft-store.ts';

const savers = new Map<string, DraftSaver>();

/**
 * Returns what saves a draft. A composer that was closed a moment ago may still be saving, or have failed to; what was typed there is
 * newer than what the server has responded with, so its saver is returned again.
 */
export function saverOf(api: Postrider, draft: Draft): DraftSaver {
  const known = savers.get(draft.id);
  if (known && isAsNew(known, draft)) return known;
  const saver = new DraftSaver(draftStore(api), purposeOf(draft), { draft });
  savers.set(draft.id, saver);
  return saver;
}

/** Keeps the saver of a draft that was just created. */
export function keepSaver(draftId: string, saver: DraftSaver): void {
  savers.set(draftId, saver);
}

/** Forgets the saver of a draft that was sent or deleted. */
export function forgetSaver(draftId: string): void {
  savers.delete(draftId);
}

function isAsNew(saver: DraftSaver, draft: Draft): boolean {
  const { phase, draft: saved } = saver.state();
  return phase !== 'saved' || (saved !== null && saved.updated_at >= draft.updated_at);
}
