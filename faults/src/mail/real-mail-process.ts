/* Runs the scene in namespaces of its own, for `faults/real-mail.ts`. */
import { rmSync } from 'node:fs';
import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { answerParent } from '../noisy-neighbour/child.ts';
import { openSubject, type Subject } from '../subject.ts';
import { beginTrial, type Trial, type TrialOptions } from '../trial.ts';
import { sendToMissingMailboxes, sendTooMuch } from './bounces.ts';
import { answerFromReader, replyToReader, sendDifficultMail, sendToReader } from './conversation.ts';
import { expectIn, judged } from './expectations.ts';
import { forgeInbox, forgeReader } from './forged-mail.ts';
import { type MailFilters, startMailFilters } from './mail-filters.ts';
import { type Network, openNetwork } from './network.ts';
import { type Postfix, startPostfix } from './postfix.ts';
import { hosts, zones } from './scene.ts';
import {
  publishReceiverKey,
  publishSharedDomain,
  publishWrongRecords,
  setUpDomain,
} from './set-up-domain.ts';

/** The observations of a run in another process. */
export type Seen = Pick<Trial, 'figures' | 'findings' | 'rows'>;

answerParent({ run });

async function run(options: TrialOptions): Promise<Seen> {
  const trial = beginTrial(options, (text) => console.log(`  ${text}`));
  const folder = await mkdtemp(join(tmpdir(), 'postrider-mail-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  // If the run is interrupted, this process ends before its turn to clean up.
  process.once('exit', remove);
  const stops: (() => Promise<void>)[] = [];
  try {
    // Postfix and the filters have accounts of their own, and read their files in here.
    await chmod(folder, 0o755);
    const network = await openNetwork(folder);
    stops.push(network.stop);
    const filters = await startMailFilters(folder);
    stops.push(filters.stop);
    const postfix = await startPostfix(folder, filters);
    stops.push(postfix.stop);
    const subject = await openSubject(trial, { env: serverSettings });
    stops.push(subject.close);
    await converse({ trial, network, filters, postfix, subject }).catch(async (error) => {
      throw new Error(`${error.message}\n${(await postfix.log()).slice(-logLengthMax)}`, { cause: error });
    });
  } finally {
    for (const stop of stops.reverse()) await stop();
    process.off('exit', remove);
    remove();
  }
  const { figures, findings, rows } = trial;
  return { figures, findings, rows };
}

const logLengthMax = 6_000;

const serverSettings = {
  POSTRIDER_TRANSPORT: 'direct',
  POSTRIDER_DNS: '127.0.0.1:53',
  POSTRIDER_MAIL_DOMAIN: zones.shared,
  POSTRIDER_SMTP_HOSTNAME: hosts.server.name,
  POSTRIDER_SMTP_HOST: hosts.server.address,
  POSTRIDER_SMTP_PORT: '25',
};

interface Scene {
  trial: Trial;
  network: Network;
  filters: MailFilters;
  postfix: Postfix;
  subject: Subject;
}

async function converse({ trial, network, filters, postfix, subject: { home } }: Scene): Promise<void> {
  const expect = expectIn(trial);
  const server = await home.start();
  const { domain, inbox } = await setUpDomain(server.client, network, expect);
  await publishReceiverKey(network, filters.dkimRecord);
  if (trial.control) await publishWrongRecords(network, domain);
  const own = { inbox, signature: zones.own, returnPath: domain.mail_from_domain };
  const talk = { trial, expect, client: server.client, postfix, inbox };
  const answer = await answerFromReader(talk, await sendToReader(talk, judged.first, own));
  if (!trial.control) {
    await replyToReader(talk, answer, own);
    await sendDifficultMail(talk, own);
    await forgeReader(talk);
    await forgeInbox(talk);
    await sendTooMuch(talk);
    await sendToMissingMailboxes(talk);
  }
  await server.stop();
  if (trial.control) return;
  await publishSharedDomain(network, (await home.run(['doctor'])).output);
  const relayed = await home.start(relaySettings);
  const { client } = relayed;
  await sendToReader({ ...talk, client }, 'by relay', own);
  const shared = await client.inboxes.create({ local_part: 'shared' });
  const sender = { inbox: shared, signature: zones.shared, returnPath: zones.shared };
  await sendToReader({ ...talk, client }, 'shared domain', sender);
  await relayed.stop();
}

const relaySettings = {
  POSTRIDER_TRANSPORT: 'smtp',
  POSTRIDER_SMTP_RELAY: `smtp://${hosts.postfix.name}:25?tls=insecure`,
};
