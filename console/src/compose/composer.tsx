import './compose.css';
import { Box, Stack } from '@mantine/core';
import type { Inbox, Message } from 'postrider';
import {
  type DragEvent,
  type KeyboardEvent,
  lazy,
  Suspense,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useBlocker } from 'react-router';
import { composeText } from '#strings/compose.ts';
import { ComposerFields } from './composer-fields.tsx';
import type { Purpose } from './draft-fields.ts';
import type { DraftSaver } from './draft-saver.ts';
import { useAddFiles } from './file-field.tsx';
import { quoteMessage } from './message-text.ts';
import { SendBar, SendHindrance } from './send-bar.tsx';
import type { Receipt } from './send-draft.ts';
import { useComposer } from './use-composer.ts';

/** The inputs of a composer, and the callbacks for its end. */
export interface ComposerProps {
  saver: DraftSaver;
  purpose: Purpose;
  /** The original message of a reply or forward. */
  original: Message | null;
  /** The inboxes to choose from; left out if the inbox is given. */
  inboxes?: Inbox[];
  /** Whether the first field gets the focus. Default: yes. */
  takesFocus?: boolean;
  onSent(receipt: Receipt): void;
  onScheduled(time: string): void;
  onDiscarded(): void;
}

/** The form that writes a message. It saves automatically, and sends after a few seconds in which the person can undo it. */
export function Composer(props: ComposerProps) {
  const { saver, purpose, original, inboxes, takesFocus = true, onSent, onScheduled, onDiscarded } = props;
  const quote = useMemo(
    () => (purpose.kind === 'reply' && original ? quoteMessage(original) : ''),
    [purpose.kind, original],
  );
  const composer = useComposer({ saver, quote, onSent });
  const { fields, sending, hindrance, isLocked, change } = composer;
  const files = useAddFiles(fields.files, (added) => change({ files: added }));
  const drop = useFileDrop(files.add);
  const form = useRef<HTMLFormElement>(null);
  const wasLocked = useRef(false);
  useEffect(() => {
    // The fields were locked until the person took the message back, or sending it failed.
    if (wasLocked.current && !isLocked && document.activeElement === document.body)
      form.current?.querySelector<HTMLElement>('[contenteditable]')?.focus();
    wasLocked.current = isLocked;
  }, [isLocked]);
  const isDropTarget = purpose.kind !== 'forward' && !isLocked;
  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        void sending.send();
      }}
      onKeyDown={(event) => {
        if (isSendKey(event)) submitSoon(event, form.current);
        else if (isEnterInField(event)) event.preventDefault();
      }}
      {...(isDropTarget && drop.dropProps)}
    >
      <Stack pos="relative" gap={12}>
        <Box
          component="fieldset"
          disabled={isLocked}
          className="console-fields"
          miw={0}
          m={0}
          p={0}
          bd="none"
        >
          <ComposerFields
            composer={composer}
            purpose={purpose}
            quote={quote}
            original={original}
            inboxes={inboxes}
            refusal={files.refusal}
            takesFocus={takesFocus}
          />
        </Box>
        {hindrance !== null && (
          <SendHindrance
            hindrance={hindrance}
            onSendToOthers={() => void sending.send({ isChecked: true })}
            onSendAnyway={() => void sending.send({ isChecked: true, force: true })}
            onEdit={sending.clear}
          />
        )}
        {isDropTarget && drop.isOver && <div className="console-drop-hint">{composeText.files.drop}</div>}
        <SendBar
          composer={composer}
          saver={saver}
          purpose={purpose}
          onFiles={files.add}
          onScheduled={onScheduled}
          onDiscarded={onDiscarded}
        />
        <LeaveGuard isUnsaved={composer.saving.phase === 'failed'} />
      </Stack>
    </form>
  );
}

function isSendKey({ key, ctrlKey, metaKey }: KeyboardEvent): boolean {
  return key === 'Enter' && (ctrlKey || metaKey);
}

/** Enter in a field of one line would send the message. */
function isEnterInField({ key, target }: KeyboardEvent): boolean {
  return key === 'Enter' && target instanceof HTMLInputElement;
}

/** Submits once an entry that is still being typed has become a recipient. */
function submitSoon(event: KeyboardEvent, form: HTMLFormElement | null): void {
  event.preventDefault();
  setTimeout(() => form?.requestSubmit());
}

/** Returns the properties of an element on which files can be dropped, and whether files are over it. */
function useFileDrop(onFiles: (files: File[]) => void) {
  const [depth, setDepth] = useState(0);
  const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes('Files');
  return {
    isOver: depth > 0,
    dropProps: {
      // Each element inside fires these events too, so they are counted.
      onDragEnter: (event: DragEvent) => hasFiles(event) && setDepth((before) => before + 1),
      onDragLeave: (event: DragEvent) => hasFiles(event) && setDepth((before) => Math.max(0, before - 1)),
      onDragOver: (event: DragEvent) => hasFiles(event) && event.preventDefault(),
      onDrop: (event: DragEvent) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setDepth(0);
        onFiles([...event.dataTransfer.files]);
      },
    },
  };
}

const loadDialog = () => import('./leave-dialog.tsx');
const LeaveDialog = lazy(async () => ({ default: (await loadDialog()).LeaveDialog }));

/** Asks before the page is left with text that could not be saved. The dialog is loaded with the page, so that it is there offline. */
function LeaveGuard({ isUnsaved }: { isUnsaved: boolean }) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => isUnsaved && currentLocation.pathname !== nextLocation.pathname,
  );
  useEffect(() => void loadDialog().catch(() => undefined), []);
  return (
    <Suspense>
      {blocker.state === 'blocked' && (
        <LeaveDialog onStay={() => blocker.reset?.()} onLeave={() => blocker.proceed?.()} />
      )}
    </Suspense>
  );
}
