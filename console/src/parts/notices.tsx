import '@mantine/notifications/styles.css';
import { Button, Group } from '@mantine/core';
import { Notifications, notifications } from '@mantine/notifications';
import type { ReactNode } from 'react';
import { partsText } from '#strings/parts.ts';

/** Something that people can do about what a notice says, such as undoing it. */
export interface NoticeAction {
  label: string;
  run(): void;
}

/** Long enough to reach the button of a notice with the keyboard. */
const withActionMs = 10_000;

let nextNumber = 0;

/** The corner with notices. */
export function Notices() {
  return <Notifications position="bottom-right" limit={4} />;
}

/** Shows a notice in the corner. One with an action stays for ten seconds. */
export function showNotice(message: ReactNode, color: string, action?: NoticeAction): void {
  const id = `notice-${nextNumber++}`;
  notifications.show({
    id,
    color,
    message: action ? <WithAction id={id} message={message} action={action} /> : message,
    closeButtonProps: { 'aria-label': partsText.close },
    ...(action ? { autoClose: withActionMs } : {}),
  });
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
