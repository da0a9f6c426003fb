import { type Message, Postrider } from 'postrider';

/** A server that answers, and a key of it. */
export interface Reached {
  url: string;
  key: string;
}

/** Returns a client as a program of one's own has it. */
export function openClient({ url, key }: Reached): Postrider {
  return new Postrider({ baseURL: `${url}/v1`, apiKey: key });
}

/** The first program of a newcomer: an inbox writes to another, which waits for the mail. Returns that. */
export async function receiveFirstMail(reached: Reached): Promise<Message> {
  const { inboxes, messages } = openClient(reached);
  const alice = await inboxes.create({ local_part: 'alice' });
  const bob = await inboxes.create({ local_part: 'bob' });
  const mail = { subject: 'Lunch?', text: 'Noodles at noon?' };
  await messages.send({ inbox_id: alice.id, to: [bob.address], ...mail });
  const received = await messages.waitFor({ inbox_id: bob.id, after: bob.created_at });
  if (received.subject !== mail.subject) throw new Error(`Another email came: ${received.subject}`);
  return received;
}
