import type { Draft, Postrider } from 'postrider';
import { keepStored, readStored } from '../lib/browser.ts';
import { errorCode } from '../lib/problem.ts';
import { keepForPerson, lastPerson } from '../lib/session.ts';
import { type DraftFields, draftStore, readPurpose } from './draft-fields.ts';
import { DraftSaver } from './draft-saver.ts';

const savers = new Map<string, DraftSaver>();
/** The savers of the composers that are shown. */
const shown = new Set<DraftSaver>();
/** The failures to save that the person knows of. */
const told = new WeakMap<DraftSaver, DraftFields>();
/** A page that is opened again right away may get a draft that was read before the last change was saved. */
const keptMs = 60_000;

/**
 * Returns the saver of a draft. A composer that was closed a moment ago may still be saving, or may have failed; its text is newer than the
 * server's response, so its saver is returned again.
 */
export function openSaver(api: Postrider, draft: Draft): DraftSaver {
  const known = savers.get(draft.id);
  if (known && isAsNew(known, draft)) return known;
  const saver = new DraftSaver(draftStore(api), readPurpose(draft), { draft });
  const { inboxId: _, ...unsaved } = takeUnsaved(draft.id) ?? {};
  if (Object.keys(unsaved).length > 0) saver.change(unsaved);
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

/** Notes that a composer is shown, and returns a function for its end, which saves unsaved changes and discards the saver later. */
export function showSaver(saver: DraftSaver): (end: { isSignedOut: boolean }) => void {
  shown.add(saver);
  if (saver.state().phase === 'failed') void saver.flush().catch(() => undefined);
  return ({ isSignedOut }) => {
    shown.delete(saver);
    void saveLast(saver, isSignedOut);
  };
}

/** Returns whether a composer shows a draft. */
export function isShown(draftId: string): boolean {
  return [...shown].some((saver) => saver.state().draft?.id === draftId);
}

async function saveLast(saver: DraftSaver, isSignedOut: boolean): Promise<void> {
  const currentDraftId = () => saver.state().draft?.id ?? null;
  const isKept = isSignedOut && saver.state().phase !== 'saved';
  const draftId = currentDraftId();
  // The tab may be reloaded before the server has refused the request.
  if (isKept) keepUnsaved(draftId, saver.fields());
  try {
    if (saver.state().phase !== 'saved') await saver.flush();
    if (isKept) takeUnsaved(draftId);
    setTimeout(() => release(saver), keptMs);
  } catch (error) {
    if (errorCode(error) !== 'not_signed_in') return;
    // A request that was under way may have made the draft, and the text is kept once.
    if (isKept) takeUnsaved(draftId);
    keepUnsaved(currentDraftId(), saver.fields());
  }
}

/** Forgets a saver with its files, unless it is needed again. */
function release(saver: DraftSaver): void {
  if (shown.has(saver) || saver.state().phase !== 'saved') return;
  for (const [id, each] of savers) if (each === saver) savers.delete(id);
}

async function finish(): Promise<boolean> {
  const results = await Promise.all(
    [...new Set([...shown, ...savers.values()])].map(async (saver) => {
      if (saver.state().phase === 'saved') return true;
      return saver.flush().then(
        () => true,
        () => {
          const wasTold = told.get(saver) === saver.fields();
          told.set(saver, saver.fields());
          return wasTold;
        },
      );
    }),
  );
  return results.every(Boolean);
}

keepForPerson({ finish, clear: () => savers.clear() });

function isAsNew(saver: DraftSaver, draft: Draft): boolean {
  const { phase, draft: saved } = saver.state();
  return phase !== 'saved' || (saved !== null && saved.updated_at >= draft.updated_at);
}

/** The text of a person, without the files, which the browser cannot keep. */
type UnsavedText = Pick<DraftFields, 'inboxId' | 'to' | 'cc' | 'bcc' | 'subject' | 'text' | 'html'>;

/** Keeps what could not be saved because the session had ended, for the same person in the same tab. */
function keepUnsaved(draftId: string | null, fields: DraftFields): void {
  const { inboxId, to, cc, bcc, subject, text, html } = fields;
  const kept: UnsavedText = { inboxId, to, cc, bcc, subject, text, html };
  keepStored('sessionStorage', unsavedName(draftId), JSON.stringify(kept));
}

/** Returns what was kept, and removes it; null for nothing. `draftId` is null for a new message. */
export function takeUnsaved(draftId: string | null): UnsavedText | null {
  const kept = readStored('sessionStorage', unsavedName(draftId));
  keepStored('sessionStorage', unsavedName(draftId), null);
  try {
    return kept && JSON.parse(kept);
  } catch {
    return null;
  }
}

function unsavedName(draftId: string | null): string {
  return `console-unsaved ${lastPerson()} ${draftId ?? 'new'}`;
}
