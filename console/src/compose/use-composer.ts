import { useQueryClient } from '@tanstack/react-query';
import type { Draft, SendCheck } from 'postrider';
import { useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useNavigate } from 'react-router';
import { composeText } from '#strings/compose.ts';
import { useApi } from '../lib/api.ts';
import { approvalPath, draftPath, threadPath } from '../lib/mail-paths.ts';
import { useRefresh } from '../lib/query.ts';
import { sessionKey } from '../lib/session.ts';
import { type HeldAction, holdAction, useHeldAction } from '../parts/held-actions.ts';
import type { DraftFields } from './draft-fields.ts';
import type { DraftSaver } from './draft-saver.ts';
import { joinQuote, splitQuote } from './message-text.ts';
import { isShown, showSaver } from './open-savers.ts';
import { type Receipt, sendDraft } from './send-draft.ts';

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

const text = composeText.held;

/** An obstacle that is known before anything is sent. */
export interface Hindrance {
  /** The fields need a correction. */
  note?: string;
  /** Some recipients would be left out. */
  check?: SendCheck;
  /** The preparation failed. */
  error?: unknown;
}

interface SendChoices {
  /** Whether the person has seen who is left out. */
  isChecked?: boolean;
  force?: boolean;
}

/** The id of the action that sends a draft. */
export function sendActionId(draftId: string): string {
  return `send ${draftId}`;
}

/** Returns a function that saves, checks and then sends after some seconds; and what hinders that. */
export function useSend(saver: DraftSaver) {
  const hold = useHoldSend();
  const holdChecked = useCheckedSend();
  const isRunning = useRef(false);
  const [isPreparing, setPreparing] = useState(false);
  const [hindrance, setHindrance] = useState<Hindrance | null>(null);
  async function prepare({ isChecked = false, force = false }: SendChoices): Promise<Hindrance | null> {
    const { to, cc, bcc } = saver.fields();
    if (to.length + cc.length + bcc.length === 0) return { note: composeText.noRecipients };
    const draft = await saver.flush();
    const { refused } = saver.state();
    if ([...to, ...cc, ...bcc].some((each) => refused.has(each)))
      return { note: composeText.correctRecipients };
    if (!isChecked) return holdChecked(draft);
    hold(draft, { force });
    return null;
  }
  async function send(choices: SendChoices = {}) {
    if (isRunning.current) return;
    isRunning.current = true;
    setPreparing(true);
    setHindrance(await prepare(choices).catch((error: unknown) => ({ error })));
    setPreparing(false);
    isRunning.current = false;
  }
  return { send, isPreparing, hindrance, clear: () => setHindrance(null) };
}

/** Returns a function that sends a saved draft after some seconds, or returns what stands in the way. */
export function useCheckedSend(): (draft: Draft) => Promise<Hindrance | null> {
  const hold = useHoldSend();
  const api = useApi();
  return async (draft) => {
    const { inbox_id, to, cc, bcc } = draft;
    if (to.length + cc.length + bcc.length === 0) return { note: composeText.noRecipients };
    // Text and files do not matter for who would get the message.
    const check = await api.messages.check({ inbox_id, to, cc, bcc, subject: draft.subject ?? '' });
    if (check.dropped.length > 0) return { check };
    hold(draft);
    return null;
  };
}

/** Returns a function that sends a saved draft after some seconds, in which the person can take it back. */
function useHoldSend(): (draft: Draft, options?: { force?: boolean }) => void {
  const api = useApi();
  const refresh = useRefresh(['drafts', 'threads', 'messages']);
  const navigate = useNavigate();
  return (draft, options = {}) => {
    const run = async () => {
      const receipt = await sendDraft(api, draft, options);
      void refresh();
      return receipt;
    };
    const onUndo = () => {
      if (!isShown(draft.id)) void navigate(draftPath(draft.id));
    };
    holdAction({
      id: sendActionId(draft.id),
      texts: sendingTexts(draft),
      run,
      onUndo,
      link: linkSent(draft),
      warnOnLeave: true,
    });
  };
}

function sendingTexts({ subject }: Draft): HeldAction['texts'] {
  return {
    waiting: text.waiting(subject || composeText.noSubject),
    running: text.running,
    failed: text.failed,
    now: text.now,
    done: (result) => {
      const { dropped, idempotent, delivery_status } = result as Receipt;
      if (delivery_status === 'held') return text.doneHeld;
      if (idempotent) return text.doneBefore;
      return dropped.length === 0
        ? text.done
        : text.doneWithout(dropped.map(({ address }) => address).join(', '));
    },
  };
}

function linkSent({ id }: Draft): HeldAction['link'] {
  return ({ state, result }) => {
    if (state === 'failed' && !isShown(id)) return { to: draftPath(id), label: text.open };
    if (state !== 'done') return null;
    const receipt = result as Receipt;
    if (receipt.delivery_status === 'held') return { to: approvalPath(receipt.id), label: text.approval };
    return { to: threadPath(receipt.thread_id, receipt.id), label: text.view };
  };
}
