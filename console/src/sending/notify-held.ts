import type { HeldWebhook } from '@postrider/contract/console';
import { sendingText } from '#strings/sending.ts';
import { notify } from '../parts/notify.ts';

/** Names the webhooks of keys under a policy, which stay active, until the notice is closed. */
export function notifyHeld(webhooks: HeldWebhook[]): void {
  if (webhooks.length > 0) void notify({ message: sendingText.workspace.held(webhooks), tone: 'bad' });
}
