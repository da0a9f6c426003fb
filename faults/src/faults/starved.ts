import { setTimeout as sleep } from 'node:timers/promises';
import { type DnsServer, startDnsServer } from '@postrider/testkit/dns/dns-server.ts';
import { ConsoleBrowser } from '@postrider/testkit/http/console-browser.ts';
import { keyRecord } from '@postrider/testkit/mail/signed-mail.ts';
import type { ServerProcess } from '@postrider/testkit/servers/server-process.ts';
import { sendMail } from '@postrider/testkit/smtp/smtp-client.ts';
import type { Inbox, Message, Postrider } from 'postrider';
import { startProposing } from '../approving/proposals.ts';
import type { Fault } from '../fault.ts';
import { isAcknowledged, type SentMail, startLoad } from '../intake-load.ts';
import { checkStored } from '../invariants.ts';
import { mailsOfAllSizes, signer } from '../starved/mails-of-all-sizes.ts';
import { starve } from '../starved/starve.ts';
import { openSubject, type Subject } from '../subject.ts';
import type { Trial } from '../trial.ts';

const sessions = 40;
/** RFC 5321 lets senders wait that long for the reply to a mail. */
const replyWaitMs = 600_000;
const person = { email: 'owner@people.example', password: 'a long secret of the owner' };
/** How long mail may be without its text after the load, and again after a restart. */
const textWaitMs = 300_000;
const names = {
  unread: 'mails without their text after 10 minutes and a restart',
  files: 'mails without their file',
  verdicts: 'false verdicts about senders',
  frames: 'pages of mail that are no HTML',
};

export const starved: Fault = {
  name: 'starved',
  about:
    'mails of all sizes, sends, approvals and reads of the console while the server is stopped for 5 s, has a fifth of a core, or shares its core with busy loops',
  times: { postgres: 2_000, own: 200 },
  unit: 'mails',
  control: {
    about: 'limits of work that count the clock',
    breaks: [names.unread],
    times: 200,
  },
  run: async (trial) => {
    const dns = await startDnsServer();
    publishSigner(dns);
    const preload = new URL('../starved/preload-old-clock.ts', import.meta.url);
    const subject = await openSubject(trial, {
      env: {
        POSTRIDER_DNS: dns.address,
        POSTRIDER_CONSOLE_ADMIN: `${person.email}:${person.password}`,
        ...(trial.control ? { NODE_OPTIONS: `--import ${preload.href}` } : {}),
      },
    });
    try {
      await readWhileStarved(trial, subject);
    } finally {
      await subject.close();
      await dns.close();
    }
  },
};

function publishSigner(dns: DnsServer): void {
  dns.set(`s1._domainkey.${signer}`, 'TXT', [keyRecord]);
  dns.set(`_dmarc.${signer}`, 'TXT', ['v=DMARC1; p=reject']);
}

async function readWhileStarved(trial: Trial, { home }: Subject): Promise<void> {
  let server = await home.start();
  const { id, address } = await server.client.inboxes.create({ local_part: 'intake' });
  const sender = await server.client.inboxes.create({ local_part: 'sender' });
  await home.operate('policy set', { workspace: 'home', lines: { send: 'approve' } });
  const reader = new ConsoleBrowser(server);
  const { status } = await reader.signIn(person);
  if (status !== 200) throw new Error(`The sign-in was answered ${status}.`);
  const mails = await mailsOfAllSizes(trial.times, address, trial.random);
  const page = await receivePage(server, sender);
  const starving = starve(trial, server.pid);
  const desk = { servers: [server], key: home.key, inboxId: sender.id, personAt: () => reader };
  const proposing = startProposing(trial, desk);
  const looking = lookAtPages(trial, server, reader, page);
  const load = startLoad({ port: () => server.smtpPort, to: address, sessions, mails, replyWaitMs });
  const telling = setInterval(() => trial.progress(`${load.acknowledged()} mails acknowledged`), 30_000);
  await load.ended;
  const refused = load.mails.filter((mail) => !isAcknowledged(mail));
  const again = startLoad({
    port: () => server.smtpPort,
    to: address,
    sessions,
    mails: refused,
    replyWaitMs,
  });
  await again.ended;
  clearInterval(telling);
  await Promise.all([looking.stop(), starving.stop()]);
  await proposing.stop();
  const all = [...load.mails.filter(isAcknowledged), ...again.mails];
  trial.figure('messages proposed', proposing.proposals.length);
  trial.figure('slowest 250, s', Math.round(Math.max(...all.map(({ tookMs }) => tookMs)) / 1_000));
  const endedAt = performance.now();
  let unread = await untilRead(trial, server.client, id, all.length);
  trial.figure('mails without their text before the restart', unread.length);
  if (unread.length > 0) {
    await server.stop();
    server = await home.start();
    unread = await untilRead(trial, server.client, id, all.length);
  }
  trial.figure('all texts there after the load, s', Math.round((performance.now() - endedAt) / 1_000));
  trial.invariant(names.unread, unread.length, { exactly: 0 }, listSubjects(unread));
  await checkStored(trial, { client: server.client, inboxId: id, mails: all, sample: 100 });
  await judge(trial, server.client, id, all);
  await server.stop();
}

/** Reads the page of an HTML mail as people do, again and again. */
function lookAtPages(
  trial: Trial,
  { url }: ServerProcess,
  { cookie, workspace }: ConsoleBrowser,
  id: string,
) {
  const stop = new AbortController();
  const ended = (async () => {
    while (!stop.signal.aborted) {
      await sleep(500);
      const answer = await fetch(`${url}/console/mail/${workspace}/${id}`, { headers: { cookie } }).catch(
        () => null,
      );
      if (answer === null) continue;
      await answer.text().catch(() => {});
      trial.count(`pages of mail, ${answer.status}`);
      const type = answer.headers.get('content-type') ?? '';
      const isPage = type.startsWith('text/html');
      trial.invariant(names.frames, isPage ? 0 : 1, { exactly: 0 }, isPage ? [] : [String(answer.status)]);
    }
  })();
  return {
    stop: () => {
      stop.abort();
      return ended;
    },
  };
}

/** Receives an HTML mail before the server is starved, and returns its id. */
async function receivePage({ smtpPort, client }: ServerProcess, { id, address }: Inbox): Promise<string> {
  const html = '<p>A line.</p>'.repeat(2_000);
  await sendMail(smtpPort, { from: 'ada@remote.example', to: address, subject: 'A page', html });
  const { messages } = await client.messages.list({ inbox_id: id });
  if (!messages[0]) throw new Error('The mail with a page is not listed.');
  return messages[0].id;
}

async function listAll(client: Postrider, inboxId: string): Promise<Message[]> {
  const messages: Message[] = [];
  for await (const message of client.messages.list({ inbox_id: inboxId, limit: 100 })) messages.push(message);
  return messages;
}

/** Returns the mails that are still without their text after the time for it. */
async function untilRead(
  trial: Trial,
  client: Postrider,
  inboxId: string,
  count: number,
): Promise<Message[]> {
  const until = performance.now() + textWaitMs;
  for (;;) {
    const messages = await listAll(client, inboxId);
    const unread = messages.filter(({ body_text }) => body_text === null);
    const isComplete = messages.length >= count;
    // Once all mails are there, a control has nothing to wait for.
    if ((isComplete && (trial.control || unread.length === 0)) || performance.now() > until) return unread;
    trial.progress(`${messages.length} mails listed, ${unread.length} without their text`);
    await sleep(5_000);
  }
}

async function judge(trial: Trial, client: Postrider, inboxId: string, mails: SentMail[]): Promise<void> {
  const messages = await listAll(client, inboxId);
  const withFile = new Set(
    mails.filter(({ raw }) => raw.includes('file.pdf')).map(({ messageId }) => messageId),
  );
  const fileless = messages.filter(
    ({ message_id, attachments }) => withFile.has(message_id ?? '') && attachments.length === 0,
  );
  trial.invariant(names.files, fileless.length, { exactly: 0 }, listSubjects(fileless));
  const signed = new Set(
    mails.filter(({ raw }) => raw.includes('DKIM-Signature')).map(({ messageId }) => messageId),
  );
  const verdicts = messages
    .filter(({ message_id }) => signed.has(message_id ?? ''))
    .map(({ authentication }) => `${authentication?.dkim} ${authentication?.dmarc}`);
  for (const verdict of verdicts) trial.count(`signed mails, ${verdict}`);
  const wrong = verdicts.filter(
    (verdict) => !verdict.split(' ').every((each) => /^(?:pass|temperror)$/.test(each)),
  );
  trial.invariant(names.verdicts, wrong.length, { exactly: 0 }, wrong);
}

function listSubjects(messages: Message[]): string[] {
  return messages.map(({ subject }) => subject);
}
