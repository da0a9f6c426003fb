import type { Event, Inbox } from 'postrider';
import { eventually } from '../lib/eventually.ts';
import type { TestServer, TestWorkspace } from './test-server.ts';

/** A workspace with an inbox that sends, with functions to check what it sent. */
export type SendingDesk = Awaited<ReturnType<typeof openDesk>>;

/** Creates a workspace with an inbox. */
export async function openDesk(server: TestServer, { isTest = false } = {}) {
  const owner = await server.workspace({ isTest });
  const inbox = await server.inbox(owner);
  return { owner, inbox, ...actions(owner, inbox) };
}

function actions(owner: TestWorkspace, inbox: Inbox) {
  const { client } = owner;
  const send = (to: string[], more: object = {}) =>
    client.messages.send({ inbox_id: inbox.id, to, subject: 'Hello', text: 'One\nTwo', ...more });
  const status = async (id: string) => (await client.messages.get(id)).delivery_status;
  const statuses = async (id: string) =>
    (await client.messages.get(id)).recipients.map((recipient) => recipient.status);
  const events = async (id: string): Promise<Event[]> => {
    const { events: all } = await client.events.list({ limit: 100 });
    return all.filter(({ message }) => message?.id === id);
  };
  const reaches = (id: string, wanted: string) =>
    eventually(`${wanted}`, async () => (await status(id)) === wanted);
  const ordered = (id: string, kinds: string[]) =>
    eventually(`the events ${kinds.join(', ')}`, async () => {
      const found = await events(id);
      return found.map(({ event }) => event).join() === kinds.join() && found;
    });
  const suppressed = async () =>
    (await client.suppressions.list()).suppressions.map(({ address, reason }) => `${address} ${reason}`);
  const received = async () =>
    (await client.messages.list({ inbox_id: inbox.id, direction: 'inbound' })).messages;
  return { client, send, status, statuses, reaches, ordered, suppressed, received };
}
