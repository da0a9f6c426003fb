import type { Inbox, Message } from 'postrider';
import type { TestServer } from './test-server.ts';
import { deliverMail, type ThreadMail } from './thread-mail.ts';

/** Sends a mail to an inbox, one of its own unless it is named, and gives the message that it became. */
export const receiveMessage = async (
  server: TestServer,
  { inbox, ...mail }: Partial<ThreadMail> & { inbox?: Inbox } = {},
): Promise<Message> => {
  const target = inbox ?? (await server.inbox());
  await deliverMail(server, target.address, { id: server.freshName('mail'), ...mail });
  const { messages } = await server.client.messages.list({ inbox_id: target.id, limit: 1 });
  if (!messages[0]) throw new Error('A mail that was answered with 250 is not listed.');
  return messages[0];
};

/** The id that a mail of `receiveMessage` was sent under, as others name it in their In-Reply-To. */
export const mailIdOf = ({ message_id }: Message): string => message_id.replace(/^<|@.*$/g, '');
