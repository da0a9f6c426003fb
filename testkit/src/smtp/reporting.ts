import type { Inbox } from 'postrider';
import type { ServerWithSink } from '../servers/server-with-sink.ts';
import type { TestWorkspace } from '../servers/test-server.ts';
import { catchRefusal, sendLines } from './smtp-client.ts';

/** A message that went out through the relay to one recipient. */
export interface Sent {
  id: string;
  to: string;
  /** The address to which reports about it are sent. */
  returnPath: string;
  messageId: string;
}

/** Returns functions for tests of reports. Messages go out from `inbox` by default. */
export function openReporting({ server, sink }: ServerWithSink, inbox: Inbox) {
  const bringBack = (to: string | string[], lines: string[], from = '') =>
    sendLines(server.smtpPort, { from, to }, lines);
  return {
    bringBack,
    /** Returns the reply of the server to a mail that it must not accept. */
    refusedAt: async (to: string, lines: string[]) => (await catchRefusal(bringBack(to, lines))).response,
    sendOut: async (from: Inbox = inbox): Promise<Sent> => {
      const to = `${server.freshName('rcpt')}@remote.example`;
      const sent = await server.client.messages.send({
        inbox_id: from.id,
        to: [to],
        subject: 's',
        text: 't',
      });
      const returnPath = sink.copiesFor(to)[0]?.from ?? '';
      return { id: sent.id, to, returnPath, messageId: sent.message_id };
    },
    /** Returns the status and detail of the recipient. */
    stateOf: async ({ id }: Sent) => {
      const [recipient] = (await server.client.messages.get(id)).recipients;
      return [recipient?.status, recipient?.detail];
    },
    eventsOf: ({ id }: Pick<Sent, 'id'>) =>
      server.rows<{ event: string; extra: object }>(
        'select event, extra from events where message_id = $1 order by insertion',
        [id],
      ),
    suppressionOf: async ({ to }: Sent) => {
      const [row] = await server.rows('select reason, message_id from suppressions where address = $1', [to]);
      return row;
    },
    mailsIn: async (box: Inbox = inbox, owner: TestWorkspace = server) =>
      (await owner.client.messages.list({ inbox_id: box.id, direction: 'inbound', limit: 100 })).messages,
  };
}
