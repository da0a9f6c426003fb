import { findAddressees, type InboxAddress } from '../../src/inboxes/find-inbox.ts';
import type { TestServer } from './test-server.ts';

/** Makes an inbox, as who takes mail for it knows it. */
export const makeTakingInbox = async ({ server, inbox }: TestServer): Promise<InboxAddress> => {
  const { address } = await inbox();
  const [addressee] = await findAddressees(server.deps, [{ recipient: address, sender: '' }]);
  if (!addressee?.inbox) throw new Error('The inbox was not found.');
  return addressee.inbox;
};
