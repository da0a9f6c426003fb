import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import type { ServerProcess } from '@postrider/testkit/servers/server-process.ts';
import { MailSink } from '@postrider/testkit/smtp/mail-sink.ts';
import type { SinkPoint } from '@postrider/testkit/smtp/sink-script.ts';
import type { Fault } from '../fault.ts';
import { checkSends, sendInvariants } from '../invariants.ts';
import { postMessage } from '../post-message.ts';
import { openSubject, type Subject, sendsThrough } from '../subject.ts';
import type { Trial } from '../trial.ts';

const callers = 8;
const recipientsEach = 2;
const points: SinkPoint[] = ['greeting', 'ehlo', 'mail', 'rcpt', 'data', 'content', 'dot'];
const delayMsMax = 400;
const copiesFirst = 10;
const momentMsMax = 300;

export const killSending: Fault = {
  name: 'kill-sending',
  about:
    'kill -9 while 8 callers send to a slow relay and repeat what is not answered; on Postgres two servers take turns',
  times: { postgres: 30, own: 20 },
  control: {
    about: 'callers that repeat without a client_id',
    breaks: [sendInvariants.duplicates],
    times: 6,
  },
  run: async (trial) => {
    const sink = await MailSink.start();
    const subject = await openSubject(trial, { env: sendsThrough(sink) });
    try {
      await killWhileSending(trial, subject, sink);
    } finally {
      await subject.close();
      await sink.close();
    }
  },
};

async function killWhileSending(trial: Trial, { home }: Subject, sink: MailSink): Promise<void> {
  const count = trial.database === 'postgres' ? 2 : 1;
  const servers = await Promise.all(Array.from({ length: count }, () => home.start()));
  const inbox = await servers[0]!.client.inboxes.create({ local_part: 'sender' });
  const calls = startCalls(trial, { servers, key: home.key, inboxId: inbox.id });
  for (let kill = 1; kill <= trial.times; kill++) {
    slowDown(trial, sink);
    const before = sink.messages.length;
    await eventually('some copies', async () => sink.messages.length >= before + copiesFirst, { pauseMs: 5 });
    await sleep(trial.random() * momentMsMax);
    const which = kill % count;
    await servers[which]!.crash();
    servers[which] = await home.start();
    trial.count('kills');
    trial.progress(`kill ${kill} of ${trial.times}, ${sink.messages.length} copies at the relay`);
  }
  sink.clearScript();
  const answered = await calls.stop();
  trial.figure('calls answered', answered.ids.length);
  trial.figure('calls repeated', answered.repeats);
  trial.figure('copies at the relay', sink.messages.length);
  await checkSends(trial, servers[0]!.client, sink, answered.ids);
  const { figures } = trial;
  const ambiguous = (figures['unconfirmed, copy arrived'] ?? 0) + (figures['unconfirmed, no copy'] ?? 0);
  trial.invariant('recipients unconfirmed', ambiguous, { most: trial.times * callers * recipientsEach });
  await checkListed(trial, servers[0]!, inbox.id, answered.ids);
  await Promise.all(servers.map((server) => server.stop()));
}

/** Makes the relay slow at two random points of some sessions. */
function slowDown(trial: Trial, sink: MailSink): void {
  sink.clearScript();
  for (let step = 0; step < 2; step++) {
    const at = points[Math.floor(trial.random() * points.length)]!;
    const after = Math.floor(trial.random() * 6);
    sink.script({ at, after, times: 10, delayMs: Math.ceil(trial.random() * delayMsMax) });
  }
}

/** Starts callers that send one message after another, and repeat each until there is a response. */
function startCalls(
  trial: Trial,
  { servers, key, inboxId }: { servers: ServerProcess[]; key: string; inboxId: string },
) {
  const stop = new AbortController();
  const ids: string[] = [];
  let calls = 0;
  let repeats = 0;
  const caller = async () => {
    while (!stop.signal.aborted) {
      const number = calls++;
      const body = {
        inbox_id: inboxId,
        to: Array.from({ length: recipientsEach }, (_, index) => `to-${number}-${index}@example.com`),
        subject: `Call ${number}`,
        text: 'A line of a text that is on its way for a while.\n'.repeat(200),
        ...(trial.control ? {} : { client_id: `call-${number}` }),
      };
      for (let attempt = 0; ; attempt++) {
        const server = servers[(number + attempt) % servers.length]!;
        const answer = await postMessage(server.url, key, body);
        if (answer?.id) {
          ids.push(answer.id);
          break;
        }
        repeats++;
        await sleep(50);
      }
    }
  };
  const ended = Promise.all(Array.from({ length: callers }, caller));
  return {
    stop: async () => {
      stop.abort();
      await ended;
      return { ids, repeats };
    },
  };
}

/** Checks that every call has its own message, and that there are no others. */
async function checkListed(
  trial: Trial,
  { client }: ServerProcess,
  inboxId: string,
  ids: string[],
): Promise<void> {
  const listed = new Set<string>();
  for await (const { id } of client.messages.list({ inbox_id: inboxId, limit: 100 })) listed.add(id);
  const missing = ids.filter((id) => !listed.has(id));
  trial.invariant('answered calls whose message is missing', missing.length, { exactly: 0 }, missing);
  trial.invariant('calls with the message of another', ids.length - new Set(ids).size, { exactly: 0 });
  trial.invariant('messages that no caller was told of', listed.size - new Set(ids).size, { exactly: 0 });
}
