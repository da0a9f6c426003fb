import '@mantine/notifications/styles.css';
import { Button, Group } from '@mantine/core';
import { Notifications, notifications } from '@mantine/notifications';
import type { ReactNode } from 'react';
import { partsText } from '#strings/parts.ts';
import { RequestId } from './api-problem.tsx';

/** An action that people can take on a notice, such as undoing. */
interface NoticeAction {
  label: string;
  run(): void;
}

/** Long enough to reach the button of a notice with the keyboard. */
const withActionMs = 10_000;

const failuresMax = 3;
const shownFailures: string[] = [];
let nextNumber = 0;

/** The corner with notices. */
export function Notices() {
  return <Notifications position="bottom-right" limit={4} />;
}

/** A short message. */
export interface Notice {
  message: ReactNode;
  tone?: 'good' | 'bad';
  action?: NoticeAction;
  /** The id of the request that failed, which the notice offers to copy. */
  requestId?: string | null;
}

/** Shows a notice in the corner. One with an action stays for ten seconds, and one about a failure until it is closed. */
export function showNotice({ message, tone = 'good', action, requestId = null }: Notice): void {
  const id = `notice-${nextNumber++}`;
  const autoClose = tone === 'bad' ? false : action ? withActionMs : undefined;
  if (tone === 'bad') makeRoom(id);
  notifications.show({
    id,
    color: tone === 'good' ? 'pine' : 'red',
    message: (
      <>
        {action ? <WithAction id={id} message={message} action={action} /> : message}
        {requestId !== null && <RequestId id={requestId} mt={2} />}
      </>
    ),
    closeButtonProps: { 'aria-label': partsText.close },
    ...(autoClose === undefined ? {} : { autoClose }),
  });
}

/** There is room for others, because the oldest failures are removed. */
function makeRoom(id: string): void {
  shownFailures.push(id);
  while (shownFailures.length > failuresMax) notifications.hide(shownFailures.shift() ?? '');
}

function WithAction({ id, message, action }: { id: string; message: ReactNode; action: NoticeAction }) {
  function run() {
    notifications.hide(id);
    action.run();
  }
  return (
    <Group justify="space-between" wrap="nowrap" gap="xs">
      <span style={{ overflowWrap: 'anywhere' }}>{message}</span>
      <Button size="compact-sm" variant="subtle" onClick={run} style={{ flexShrink: 0 }}>
        {action.label}
      </Button>
    </Group>
  );
}
