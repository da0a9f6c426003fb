import type { Inbox, Message } from 'postrider';
import type { TestServer } from '../servers/test-server.ts';
import { deliverMail, type ThreadMail } from './thread-mail.ts';

/** Sends a mail to an inbox, by default a new one. Returns the message that it became. */
export async function receiveMessage(
  server: TestServer,
  { inbox, ...mail }: Partial<ThreadMail> & { inbox?: Inbox } = {},
): Promise<Message> {
  const target = inbox ?? (await server.inbox());
  await deliverMail(server, target.address, { id: server.freshName('mail'), ...mail });
  const { messages } = await server.client.messages.list({ inbox_id: target.id, limit: 1 });
  if (!messages[0]) throw new Error('A mail that was answered with 250 is not listed.');
  return messages[0];
}

/** Returns the id under which `receiveMessage` sent a mail, as others name it in their In-Reply-To. */
export function readMailId({ message_id }: Message): string {
  return message_id.replace(/^<|@.*$/g, '');
}
