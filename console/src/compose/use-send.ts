import type { Draft, SendCheck } from 'postrider';
import { useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { composeText } from '#strings/compose.ts';
import { useApi } from '../lib/api.ts';
import { approvalPath, draftPath, threadPath } from '../lib/mail-paths.ts';
import { useRefresh } from '../lib/query.ts';
import { type HeldAction, holdAction } from '../parts/held-actions.ts';
import type { DraftSaver } from './draft-saver.ts';
import { isShown } from './open-savers.ts';
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
