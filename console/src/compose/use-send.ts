import { useQueryClient } from '@tanstack/react-query';
import type { Draft, Postrider, SendCheck } from 'postrider';
import { useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { composeText } from '#strings/compose.ts';
import { useApi } from '../lib/api.ts';
import { approvalPath, draftPath, threadPath } from '../lib/mail-paths.ts';
import { useQueryKey } from '../lib/workspace.ts';
import { type HeldAction, holdAction } from '../parts/held-actions.ts';
import { type DraftFields, readFields } from './draft-fields.ts';
import type { DraftSaver } from './draft-saver.ts';
import { type Receipt, sendDraft } from './send-draft.ts';

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
    const { to, cc, bcc } = draft;
    if (to.length + cc.length + bcc.length === 0) return { note: composeText.noRecipients };
    const check = await checkRecipients(api, readFields(draft));
    if (check.dropped.length > 0) return { check };
    hold(draft);
    return null;
  };
}

/** Returns a function that sends a saved draft after some seconds, in which the person can take it back. */
function useHoldSend(): (draft: Draft, options?: { force?: boolean }) => void {
  const api = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const workspaceKey = useQueryKey();
  return (draft, options = {}) => {
    const run = async () => {
      const receipt = await sendDraft(api, draft, options);
      for (const name of ['drafts', 'threads', 'messages'])
        void queries.invalidateQueries({ queryKey: [...workspaceKey, name] });
      return receipt;
    };
    const onUndo = () => {
      if (!isOpen(draft.id)) void navigate(draftPath(draft.id));
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

const open = new Set<string>();

/** Notes that a composer shows a draft, and returns a function that ends it. */
export function noteOpen(draftId: string): () => void {
  open.add(draftId);
  return () => open.delete(draftId);
}

function isOpen(draftId: string): boolean {
  return open.has(draftId);
}

/** Asks who would get the message. Its text and files do not matter for that. */
async function checkRecipients(api: Postrider, fields: DraftFields): Promise<SendCheck> {
  const { inboxId, to, cc, bcc, subject } = fields;
  return api.messages.check({ inbox_id: inboxId, to, cc, bcc, subject });
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
    if (state === 'failed' && !isOpen(id)) return { to: draftPath(id), label: text.open };
    if (state !== 'done') return null;
    const receipt = result as Receipt;
    if (receipt.delivery_status === 'held') return { to: approvalPath(receipt.id), label: text.approval };
    return { to: threadPath(receipt.thread_id, receipt.id), label: text.view };
  };
}
