import { eventually } from '@postrider/testkit/lib/eventually.ts';
import type { ServerHome, ServerProcess } from '@postrider/testkit/servers/server-process.ts';
import { type MadeMail, madeUpMails } from '@postrider/testkit/smtp/steady-intake.ts';
import type { Inbox } from 'postrider';
import { isAcknowledged, type SentMail, startLoad } from './intake-load.ts';
import { checkStored, invariants } from './invariants.ts';
import { isAlive } from './is-alive.ts';
import { startSmtpProxy } from './smtp-proxy.ts';
import type { Trial } from './trial.ts';

/** The loss of something that the server cannot work without. */
export interface Outage {
  /** Its name in reports. */
  name: string;
  begin(): Promise<void>;
  end(): Promise<void>;
  /** Whether every request fails meanwhile. Otherwise some may succeed. */
  total: boolean;
  /** The number of mails for which the remaining space may suffice before the outage counts as begun. */
  leftover: number;
  /** The least size of a mail in bytes. Small ones are kept in the database and need no file. */
  mailBytes: number;
}

/** The proxy of the controls. A sender that gets a 5xx reply gives its mail up. */
export const refusesForGood = { reply: (line: string) => line.replace(/^4(\d\d[ -])4\./, '5$15.') };

export const takenDuring = 'mails taken during the outage';
const otherAnswers = 'SMTP answers other than 451 and 452';
const otherHttp = 'HTTP answers other than 503 with an error';
const mailsDuring = 200;
/** Besides as much time as the mails before the outage took, which tells how fast the machine is. */
const recoveryMsMax = 5_000;
const sessions = 10;
const longText = 'A long text. '.repeat(100_000).slice(0, 900_000);

/** Sends before, during and after an outage, makes API requests during it, and checks everything afterwards. */
export async function runOutage(
  trial: Trial,
  home: ServerHome,
  server: ServerProcess,
  outage: Outage,
): Promise<void> {
  const inbox = await server.client.inboxes.create({ local_part: `outage-${trial.figures.outages ?? 0}` });
  trial.count('outages');
  const proxy = trial.control ? await startSmtpProxy(() => server.smtpPort, refusesForGood) : null;
  const port = () => proxy?.port ?? server.smtpPort;
  const send = async (mails: Iterable<MadeMail>): Promise<SentMail[]> => {
    const load = startLoad({ port, to: inbox.address, sessions, mails });
    await load.ended;
    return load.mails;
  };
  const made = (phase: string, count: number) =>
    madeUpMails(`${outage.name.replaceAll(' ', '-')}-${phase}-${inbox.local_part}`, inbox.address)
      .take(count)
      .map(({ messageId, raw }) => ({ messageId, raw: padded(raw, outage.mailBytes) }));
  const sentMs = performance.now();
  const mails = await send(made('before', 50));
  const sendMs = performance.now() - sentMs;
  await outage.begin();
  trial.progress(`${outage.name}: begun`);
  mails.push(...(await send(made('leftover', outage.leftover))));
  const refused = await send(made('during', mailsDuring));
  judgeMail(trial, outage, refused);
  await judgeRequests(trial, { home, server, inbox }, outage);
  await outage.end();
  const tookMs = await recovery(server);
  trial.progress(`${outage.name}: over, ready again after ${Math.round(tookMs)} ms`);
  trial.invariant(`${outage.name}: recovery in ms`, Math.round(tookMs), {
    most: Math.round(recoveryMsMax + sendMs),
  });
  const again = await send([...mails.filter((mail) => !isAcknowledged(mail)), ...refused]);
  trial.invariant(
    `${outage.name}: mails refused afterwards`,
    again.filter((mail) => !isAcknowledged(mail)).length,
    {
      exactly: 0,
    },
  );
  trial.invariant(invariants.exits, isAlive(server.pid) ? 0 : 1, { exactly: 0 });
  const all = [...mails.filter(isAcknowledged), ...again];
  await checkStored(trial, { client: server.client, inboxId: inbox.id, mails: all, sample: 50 });
  await proxy?.close();
}

/** Returns a mail with added lines of at least `bytes` in total. */
function padded(raw: Buffer, bytes: number): Buffer {
  const line = 'A line that makes it longer.\r\n';
  return Buffer.concat([raw, Buffer.from(line.repeat(Math.ceil(bytes / line.length)))]);
}

function judgeMail(trial: Trial, { name }: Outage, mails: SentMail[]): void {
  for (const { code } of mails) trial.count(`${name}: answers ${code}`);
  const wrong = mails.filter(({ code }) => code !== 451 && code !== 452);
  const codes = wrong.map(({ code }) => String(code));
  trial.invariant(`${name}: ${takenDuring}`, mails.filter(isAcknowledged).length, { exactly: 0 });
  const permanent = mails.filter(({ code }) => (code ?? 0) >= 500);
  trial.invariant(invariants.permanentRefusals, permanent.length, { exactly: 0 }, codes);
  trial.invariant(`${name}: ${otherAnswers}`, wrong.length, { exactly: 0 }, codes);
}

async function judgeRequests(
  trial: Trial,
  { home, server, inbox }: { home: ServerHome; server: ServerProcess; inbox: Inbox },
  { name, total }: Outage,
): Promise<void> {
  const message = { inbox_id: inbox.id, to: ['ada@example.com'], subject: 's', text: longText };
  const requests: [method: string, path: string, body?: object][] = [
    ['GET', '/v1/inboxes'],
    ['GET', `/v1/inboxes/${inbox.id}`],
    ['GET', `/v1/messages?inbox_id=${inbox.id}`],
    ['POST', '/v1/inboxes', { local_part: 'during' }],
    ['POST', '/v1/messages', message],
  ];
  const wrong: string[] = [];
  for (const [method, path, body] of [...requests, ...requests]) {
    const answer = await fetch(server.url + path, {
      method,
      headers: { authorization: `Bearer ${home.key}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await answer.text();
    trial.count(`${name}: HTTP ${answer.status}`);
    const succeeded = answer.ok || answer.status === 409;
    const saysSo = answer.status === 503 && typeof JSON.parse(text).error === 'string';
    if (!saysSo && (total || !succeeded)) wrong.push(`${method} ${path}: ${answer.status} ${text}`);
  }
  trial.invariant(`${name}: ${otherHttp}`, wrong.length, { exactly: 0 }, wrong);
}

async function recovery(server: ServerProcess): Promise<number> {
  const from = performance.now();
  const isReady = async () => (await fetch(`${server.url}/readyz`)).status === 200;
  await eventually('readiness', isReady, { pauseMs: 20 });
  return performance.now() - from;
}
