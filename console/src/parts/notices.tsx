import '@mantine/notifications/styles.css';
import { Notifications, notifications } from '@mantine/notifications';
import type { ReactNode } from 'react';
import { partsText } from '#strings/parts.ts';

/** The corner with notices. */
export function Notices() {
  return <Notifications position="bottom-right" limit={4} />;
}

/** Shows a notice in the corner. */
export function showNotice(message: ReactNode, color: string): void {
  notifications.show({ message, color, closeButtonProps: { 'aria-label': partsText.close } });
}
