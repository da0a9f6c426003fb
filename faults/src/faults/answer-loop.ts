import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerProcess } from '@postrider/testkit/servers/server-process.ts';
import { type Inbox, type Message, type Postrider, RateLimitError } from 'postrider';
import type { Fault } from '../fault.ts';
import { startSmtpProxy } from '../smtp-proxy.ts';
import { openSubject, type Subject } from '../subject.ts';
import type { Trial } from '../trial.ts';

/** Without a limit, an exchange of so many messages counts as endless. */
const messagesMax = 200;
const answersMax = 20;
/** An exchange that rests for so long is over. A message takes a tenth of a second from one agent to the other. */
const quietMs = 5_000;
const waitMsMax = 55_000;
const invariant = 'exchanges that do not end';

export const answerLoop: Fault = {
  name: 'answer-loop',
  about:
    'two servers that send to each other, each with an agent that answers every message: one by a reply, the other by a new message',
  times: { postgres: 3, own: 3 },
  control: {
    about: 'servers that do not limit answers',
    breaks: [invariant],
    times: 3,
  },
  run: async (trial) => {
    const servers: ServerProcess[] = [];
    const proxies = await Promise.all(
      [1, 0].map((other) => startSmtpProxy(() => servers[other]?.smtpPort ?? 0, {})),
    );
    const subjects: Subject[] = [];
    try {
      for (const [index, { port }] of proxies.entries()) {
        const subject = await openSubject(trial, { env: serverSettings(trial, index, port) });
        subjects.push(subject);
        servers.push(await subject.home.start());
      }
      await answerEachOther(trial, servers);
      await Promise.all(servers.map((server) => server.stop()));
    } finally {
      await Promise.all(subjects.map((subject) => subject.close()));
      await Promise.all(proxies.map((proxy) => proxy.close()));
    }
  },
};

/** Makes the other server the relay. */
function serverSettings(trial: Trial, index: number, relayPort: number): Record<string, string> {
  return {
    POSTRIDER_MAIL_DOMAIN: `side-${index}.test`,
    POSTRIDER_TRANSPORT: 'smtp',
    POSTRIDER_SMTP_RELAY: `smtp://127.0.0.1:${relayPort}?tls=never`,
    ...(trial.control ? { POSTRIDER_LOOP_ANSWERS: 'off' } : {}),
  };
}

async function answerEachOther(trial: Trial, servers: ServerProcess[]): Promise<void> {
  const [left, right] = servers.map(({ client }) => client) as [Postrider, Postrider];
  const first = await left.inboxes.create({ local_part: 'first' });
  const second = await right.inboxes.create({ local_part: 'second' });
  const agents = [
    startAgent(left, first, ({ id }) => left.messages.reply(id, { text: 'Thank you!' })),
    startAgent(right, second, ({ from_addr, subject }) =>
      right.messages.send({ inbox_id: second.id, to: [from_addr], subject, text: 'You are welcome!' }),
    ),
  ];
  for (let n = 1; n <= trial.times; n++)
    await left.messages.send({ inbox_id: first.id, to: [second.address], subject: `Question ${n}` });
  const total = () => trial.times + agents.reduce((sum, { sent }) => sum + sent(), 0);
  const ended = await hasEnded(total, (count) => trial.progress(`${count} messages so far`));
  const [ofFirst, ofSecond] = agents as [Agent, Agent];
  trial.figure('from the first to the second', trial.times + ofFirst.sent());
  trial.figure('from the second to the first', ofSecond.sent());
  trial.figure('answers refused', ofFirst.refused() + ofSecond.refused());
  trial.invariant(invariant, ended ? 0 : 1, { exactly: 0 });
  if (!trial.control) {
    const most = Math.max(ofFirst.sent(), ofSecond.sent());
    trial.invariant('answers of one side', most, { most: answersMax });
    trial.invariant('answers refused with the reason loop', ofFirst.refused() + ofSecond.refused(), {
      least: 1,
    });
  }
  const failures = await Promise.all(agents.map((agent) => agent.stop()));
  trial.invariant('other failures of the agents', failures.flat().length, { exactly: 0 }, failures.flat());
}

interface Agent {
  sent(): number;
  refused(): number;
  /** Returns what failed for another reason than the limit. */
  stop(): Promise<string[]>;
}

/** Answers every message that an inbox receives. One that is refused is left unanswered. */
function startAgent(client: Postrider, inbox: Inbox, answer: (message: Message) => Promise<unknown>): Agent {
  const stopped = new AbortController();
  const failures: string[] = [];
  let sent = 0;
  let refused = 0;
  const answerOne = async (message: Message) => {
    try {
      await answer(message);
      sent++;
    } catch (error) {
      if (error instanceof RateLimitError && Object(error.body).reason === 'loop') refused++;
      else failures.push(String(error));
    }
  };
  const answerAll = async () => {
    const stream = client.messages.stream({ inbox_id: inbox.id, signal: stopped.signal });
    for await (const message of stream) await answerOne(message);
  };
  const ended = answerAll().catch((error: unknown) => {
    if (!stopped.signal.aborted) failures.push(String(error));
  });
  return {
    sent: () => sent,
    refused: () => refused,
    stop: async () => {
      stopped.abort();
      await ended;
      return failures;
    },
  };
}

/** Returns whether the number of messages stops growing before there are too many. */
async function hasEnded(total: () => number, onGrowth: (count: number) => void): Promise<boolean> {
  const until = performance.now() + waitMsMax;
  let count = total();
  let grownAt = performance.now();
  while (performance.now() < until && count < messagesMax) {
    await sleep(250);
    if (total() > count) {
      count = total();
      grownAt = performance.now();
      onGrowth(count);
    }
    if (performance.now() - grownAt > quietMs) return true;
  }
  return false;
}
