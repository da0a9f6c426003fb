/* Mail in somebody else's name, from a host that may not send it. */
import { recordVerdicts } from './expectations.ts';
import { arrivedAtServer, type Conversation, printHeaders } from './judge-mail.ts';
import { sendAsStranger } from './made-mail.ts';
import { readVerdicts } from './read-headers.ts';
import { hosts, mailboxes, zones } from './scene.ts';

const refuted = { spf: 'fail', dkim: 'none', dmarc: 'fail' };

/** Sends mail in the reader's name to the inbox, and judges what the server says of it. */
export async function forgeReader(talk: Conversation): Promise<void> {
  const [from, to, messageId] = [mailboxes.reader, talk.inbox.address, `<forged@${zones.receiver}>`];
  await sendAsStranger(hosts.server.address, from, { from, to, subject: 'Forged', messageId });
  const { authentication } = await arrivedAtServer(talk, messageId);
  if (authentication) recordVerdicts(talk.trial, 'forged as them', authentication);
  talk.expect('forged as them: the verdict', authentication, { ...refuted, verified_domain: null });
}

/** Sends mail in the name of the inbox to the reader, and judges what Postfix says of it. */
export async function forgeInbox({ postfix, inbox, expect, trial }: Conversation): Promise<void> {
  const [from, to, messageId] = [inbox.address, mailboxes.reader, `<forged@${zones.own}>`];
  const returnPath = `bounces+forged@bounce.${zones.own}`;
  await sendAsStranger(hosts.postfix.address, returnPath, { from, to, subject: 'Forged', messageId });
  const raw = await postfix.received(messageId);
  printHeaders(trial, 'forged as us, at Postfix', raw);
  const found = readVerdicts(raw, hosts.postfix.name);
  recordVerdicts(trial, 'forged as us', found);
  expect('forged as us: the verdict', found, refuted);
}
