import { findAddressees, type InboxAddress } from '../../../server/src/inboxes/find-inbox.ts';
import type { TestServer } from './test-server.ts';

/** Creates an inbox. Returns it in the form in which intake knows it. */
export async function makeTakingInbox({ server, inbox }: TestServer): Promise<InboxAddress> {
  const { address } = await inbox();
  const [addressee] = await findAddressees(server.deps, [{ recipient: address, sender: '' }]);
  if (!addressee?.inbox) throw new Error('The inbox was not found.');
  return addressee.inbox;
}
