import type { PolicyIn, PolicyLevel } from '@postrider/contract';
import type { HeldWebhook } from '@postrider/contract/console';
import { keepPreviousData } from '@tanstack/react-query';
import { sendingText } from '#strings/sending.ts';
import { controlLists } from '../control/control-queries.ts';
import { useChange, useRead } from '../lib/query.ts';
import { notify } from '../parts/notify.ts';

/** Reads the effective policy for mail that a key sends from an inbox. An empty id is omitted. */
export function useEffectivePolicy(inboxId: string, keyId: string) {
  const query = { inbox_id: inboxId || undefined, key_id: keyId || undefined };
  return useRead(['control', 'effective', query], ({ ask }) => ask('control.effective', { query }), {
    placeholderData: keepPreviousData,
  });
}

/** Sets the policy of a place, in place of that before. Without lines there is none. */
export function useSetPolicy() {
  return useChange(
    ({ ask }, { level, id, lines }: { level: PolicyLevel; id: string; lines: PolicyIn }) =>
      ask('control.setPolicy', { params: { level, id }, body: { lines } }),
    controlLists,
  );
}

/** Names the webhooks of keys under a policy, which stay active, until the notice is closed. */
export function notifyHeld(webhooks: HeldWebhook[]): void {
  if (webhooks.length > 0) void notify({ message: sendingText.workspace.held(webhooks), tone: 'bad' });
}
