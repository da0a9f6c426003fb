import type { Inbox, Postrider } from '../index.ts';
import { UsageError } from './verb.ts';

/**
 * Returns the inbox with this id or address, or the only one of the workspace if none is named.
 *
 * @throws UsageError if there is none, or more than one to choose from.
 */
export async function findInbox(client: Postrider, named: string | undefined): Promise<Inbox> {
  if (named?.startsWith('inb_')) return client.inboxes.get(named);
  const { inboxes } = await client.inboxes.list({ address: named, limit: 2 });
  const [only, another] = inboxes;
  if (another !== undefined) throw new UsageError('There are several inboxes. Choose one with --inbox.');
  if (only !== undefined) return only;
  throw new UsageError(
    named === undefined
      ? 'There is no inbox yet. `inboxes create NAME` creates one.'
      : `There is no inbox ${named}.`,
  );
}
