import { setTimeout as sleep } from 'node:timers/promises';
import { ConsoleBrowser } from '@postrider/testkit/http/console-browser.ts';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import type { ServerProcess } from '@postrider/testkit/servers/server-process.ts';
import { MailSink } from '@postrider/testkit/smtp/mail-sink.ts';
import type { SinkPoint } from '@postrider/testkit/smtp/sink-script.ts';
import { approvalInvariants, judgeApprovals } from '../approving/judge-approvals.ts';
import { type Desk, type Proposal, startProposing } from '../approving/proposals.ts';
import type { Fault } from '../fault.ts';
import { openSubject, type Subject, sendsThrough } from '../subject.ts';
import type { Trial } from '../trial.ts';

const points: SinkPoint[] = ['greeting', 'mail', 'rcpt', 'data', 'content', 'dot'];
const delayMsMax = 300;
const copiesFirst = 3;
const momentMsMax = 300;
const heldMs = 1_000;
const person = { email: 'owner@people.example', password: 'a long secret of the owner' };

export const killApproving: Fault = {
  name: 'kill-approving',
  about:
    'kill -9 while 8 callers send what people then approve, refuse or leave, and a slow relay takes it; on Postgres two servers take turns',
  times: { postgres: 50, own: 50 },
  control: {
    about:
      'callers that repeat without a client_id, and a policy that is lifted before each kill, which falls between the store of a send and its response',
    breaks: [approvalInvariants.unapproved, approvalInvariants.unlisted],
    times: 6,
  },
  run: async (trial) => {
    const sink = await MailSink.start();
    const subject = await openSubject(trial, {
      env: { ...sendsThrough(sink), POSTRIDER_CONSOLE_ADMIN: `${person.email}:${person.password}` },
    });
    try {
      await killWhileApproving(trial, subject, sink);
    } finally {
      await subject.close();
      await sink.close();
    }
  },
};

async function killWhileApproving(trial: Trial, { home }: Subject, sink: MailSink): Promise<void> {
  const count = trial.database === 'postgres' ? 2 : 1;
  const servers: ServerProcess[] = [];
  for (let number = 0; number < count; number++) servers.push(await home.start());
  const inbox = await servers[0]!.client.inboxes.create({ local_part: 'sender' });
  const setSending = (send: 'approve' | 'allow') =>
    home.operate('policy set', { workspace: 'home', lines: { send } });
  await setSending('approve');
  const desk = await openDesk(servers, home.key, inbox.id);
  const load = startProposing(trial, desk);
  for (let kill = 1; kill <= trial.times; kill++) {
    slowDown(trial, sink);
    const before = sink.messages.length;
    await eventually('some copies', async () => sink.messages.length >= before + copiesFirst, { pauseMs: 5 });
    await sleep(trial.random() * momentMsMax);
    const which = kill % count;
    if (trial.control) await setSending('allow');
    if (trial.control) await untilUntold(sink, load.proposals, servers[which]!);
    await servers[which]!.crash();
    for (const { phase } of load.proposals.slice(-16)) trial.count(`messages ${phase} at a kill`);
    servers[which] = await home.start();
    if (trial.control) await setSending('approve');
    trial.count('kills');
    trial.progress(`kill ${kill} of ${trial.times}, ${sink.messages.length} copies at the relay`);
  }
  sink.clearScript();
  const { repeats } = await load.stop();
  trial.figure('requests repeated', repeats);
  const { client } = servers[0]!;
  await judgeApprovals(trial, { home, client, sink, inboxId: inbox.id, proposals: load.proposals });
  await Promise.all(servers.map((server) => server.stop()));
}

/** Signs a person in once. The session is the same at every server. */
async function openDesk(servers: ServerProcess[], key: string, inboxId: string): Promise<Desk> {
  const first = new ConsoleBrowser(servers[0]!);
  const { status } = await first.signIn(person);
  if (status !== 200) throw new Error(`The sign-in was answered ${status}.`);
  const browsers = new Map<string, ConsoleBrowser>();
  const personAt = ({ url }: ServerProcess): ConsoleBrowser => {
    const known = browsers.get(url) ?? new ConsoleBrowser({ url });
    for (const [name, value] of first.cookies) known.cookies.set(name, value);
    known.workspace = first.workspace;
    browsers.set(url, known);
    return known;
  };
  return { servers, key, inboxId, personAt };
}

/** Makes the relay slow at two random points of some sessions. */
function slowDown(trial: Trial, sink: MailSink): void {
  sink.clearScript();
  for (let step = 0; step < 2; step++) {
    const at = points[Math.floor(trial.random() * points.length)]!;
    const after = Math.floor(trial.random() * 4);
    sink.script({ at, after, times: 8, delayMs: Math.ceil(trial.random() * delayMsMax) });
  }
}

/**
 * Resolves while a server has stored a send of which it has not told the caller. The relay gets the bytes of a message only once that is
 * stored, and the server waits for the relay before it responds.
 */
async function untilUntold(sink: MailSink, proposals: Proposal[], server: ServerProcess): Promise<void> {
  sink.clearScript();
  sink.script({ at: 'dot', delayMs: heldMs });
  const fromMs = performance.now();
  const isUntold = async () => {
    const begun = sink.contents.filter(({ begunAtMs }) => begunAtMs > fromMs);
    const addresses = new Set(begun.flatMap(({ recipients }) => recipients));
    return proposals.some(
      ({ phase, sender, address }) => phase === 'sending' && sender === server && addresses.has(address),
    );
  };
  await eventually('a send that is stored and has no response', isUntold, { pauseMs: 5 });
}
