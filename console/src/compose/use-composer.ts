import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useLayoutEffect, useState, useSyncExternalStore } from 'react';
import { sessionKey } from '../lib/session.ts';
import { useHeldAction } from '../parts/held-actions.ts';
import type { DraftFields } from './draft-fields.ts';
import type { DraftSaver } from './draft-saver.ts';
import { showSaver } from './open-savers.ts';
import { joinQuote, splitQuote } from './quote-message.ts';
import type { Receipt } from './send-draft.ts';
import { sendActionId, useSend } from './use-send.ts';

interface ComposerOptions {
  saver: DraftSaver;
  /** The quoted part of a reply; empty for nothing. */
  quote: string;
  onSent(receipt: Receipt): void;
}

/** Returns the state of a composer: the fields, the saving, and the sending. */
export function useComposer({ saver, quote, onSent }: ComposerOptions) {
  const fields = useSyncExternalStore(saver.watch, saver.fields);
  const saving = useSyncExternalStore(saver.watch, saver.state);
  const draftId = saving.draft?.id ?? null;
  const held = useHeldAction(draftId === null ? null : sendActionId(draftId));
  const sending = useSend(saver);
  const own = splitQuote(fields, quote);
  const { isQuoted } = own;
  useKeepSaved(saver);
  const [reported, setReported] = useState<string | null>(null);
  useEffect(() => {
    if (held?.state !== 'done' || reported === draftId) return;
    setReported(draftId);
    onSent(held.result as Receipt);
  }, [held, reported, draftId, onSent]);
  const isLocked = held?.state === 'waiting' || held?.state === 'running' || held?.state === 'done';
  return {
    fields,
    saving,
    held,
    isLocked,
    sending,
    hindrance: sending.hindrance ?? (held?.state === 'failed' ? { error: held.error } : null),
    own,
    isQuoted,
    change: (changed: Partial<DraftFields>) => saver.change(changed),
    setOwn: (text: string, html: string) =>
      saver.change(isQuoted ? joinQuote({ text, html }, quote) : { text, html }),
    setQuoted: (quoted: boolean) =>
      saver.change(quoted ? joinQuote(own, quote) : { text: own.text, html: own.html }),
  };
}

/** The state of a composer. */
export type ComposerState = ReturnType<typeof useComposer>;

/** Saves when the composer is closed, and has the browser ask before unsaved text is left. */
function useKeepSaved(saver: DraftSaver): void {
  const queries = useQueryClient();
  // An effect that may end after the next page is drawn would lose text to a reload in between.
  useLayoutEffect(() => {
    const askFirst = (event: BeforeUnloadEvent) => {
      if (saver.state().phase !== 'saved') event.preventDefault();
    };
    addEventListener('beforeunload', askFirst);
    const close = showSaver(saver);
    return () => {
      removeEventListener('beforeunload', askFirst);
      close({ isSignedOut: queries.getQueryData(sessionKey) === null });
    };
  }, [saver, queries]);
}
