/* Mail that the receiver does not want: whom the server blames for it. */
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { APIError, type Postrider } from 'postrider';
import { type Conversation, pauseMs, waitMs } from './judge-mail.ts';
import { mailboxes, sizeMax, zones } from './scene.ts';

/** Sends to an address that Postfix refuses, and to one whose mail it returns later. Both must become bounces and suppressions. */
export async function sendToMissingMailboxes({
  client,
  postfix,
  inbox,
  expect,
}: Conversation): Promise<void> {
  const cases = { 'refused at once': `nobody@${zones.receiver}`, 'returned later': mailboxes.moved };
  for (const [how, address] of Object.entries(cases)) {
    const mail = { inbox_id: inbox.id, to: [address], subject: `To be ${how}`, text: 'Hello?' };
    const { id } = await client.messages.send(mail);
    const find = async () => {
      const { recipients } = await client.messages.get(id);
      return recipients.find(({ status }) => status === 'bounced');
    };
    const bounced = await eventually(`a bounce of what was ${how}`, find, { withinMs: waitMs, pauseMs });
    const reply = `550 5.1.1 <${address}>: Recipient address rejected: User unknown in virtual mailbox table`;
    expect(`${how}: the detail of the recipient`, bounced.detail, reply);
    expect(`${how}: the suppression`, await suppressionReasons(client, address), ['hard_bounce']);
  }
  const reports = (await postfix.log()).match(/sender non-delivery notification/g) ?? [];
  expect('returned later: the reports that Postfix sent', reports.length, 1);
}

/** Sends more than Postfix takes, which is the fault of the message and not of its recipient. */
export async function sendTooMuch({ client, inbox, expect }: Conversation): Promise<void> {
  const content = Buffer.alloc(sizeMax, 1);
  const attachments = [{ filename: 'large.bin', content }];
  const mail = { inbox_id: inbox.id, to: [mailboxes.reader], subject: 'Large', text: 'Large.', attachments };
  const error = await client.messages.send(mail).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  const seen = error instanceof APIError ? [error.status, error.code] : error;
  expect('too large: the response', seen, [422, 'message_rejected']);
  expect('too large: the suppression', await suppressionReasons(client, mailboxes.reader), []);
}

async function suppressionReasons(client: Postrider, address: string): Promise<string[]> {
  const { suppressions } = await client.suppressions.list();
  return suppressions.filter((entry) => entry.address === address).map(({ reason }) => reason);
}
