import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerHome, ServerProcess } from '@postrider/testkit/servers/server-process.ts';
import { MailSink } from '@postrider/testkit/smtp/mail-sink.ts';
import { closeConnections, sendBytes } from '@postrider/testkit/smtp/smtp-client.ts';
import { type Inbox, type Message, Postrider } from 'postrider';
import type { Fault } from '../fault.ts';
import { postMessage } from '../post-message.ts';
import { openSubject } from '../subject.ts';
import type { Trial } from '../trial.ts';

/** The sends that the agent tries in the minute. */
const attempts = 2_000;
const callers = 20;
const minuteMs = 60_000;
const people = 50;
const mostCareful = 24;
const names = {
  left: 'mails that left',
  tried: 'sends that were tried',
  others: 'answers that are neither a send nor a refusal',
};

export const runaway: Fault = {
  name: 'runaway',
  about:
    'an agent sends 2,000 times in a minute and repeats every refusal, and is in a loop with an agent of another workspace that answers everything; with the policy that init --careful sets, and without one',
  times: { postgres: 1, own: 1 },
  control: { about: 'the same without a policy', breaks: [names.left], times: 1 },
  run: async (trial) => {
    if (trial.control) return runMinute(trial, { careful: false, judged: true });
    await runMinute(trial, { careful: false, judged: false });
    await runMinute(trial, { careful: true, judged: true });
  },
};

async function runMinute(trial: Trial, { careful, judged }: { careful: boolean; judged: boolean }) {
  const sink = await MailSink.start();
  const subject = await openSubject(trial, {
    env: {
      POSTRIDER_TRANSPORT: 'smtp',
      POSTRIDER_SMTP_RELAY: `smtp://127.0.0.1:${sink.port}?tls=never`,
      POSTRIDER_MAIL_DOMAIN: 'agents.test',
    },
  });
  try {
    const server = await subject.home.start();
    const scene = await openScene(subject.home, server);
    if (careful) await subject.home.operate('init careful', { workspace: 'home' });
    const relay = startRelaying(sink, server);
    const loops = [startAnswering(scene.client, scene.inbox), startAnswering(scene.other, scene.theirs)];
    const answers = await runAway(subject.home, server, scene);
    const answered = await Promise.all(loops.map((loop) => loop.stop()));
    await relay.stop();
    const left = sink.messages.filter(({ raw }) => raw.includes(`From: ${scene.inbox.address}`)).length;
    report(trial, careful ? 'careful' : 'without a policy', { answers, answered, left });
    if (judged) judge(trial, answers, left);
    await server.stop();
  } finally {
    await subject.close();
    await sink.close();
  }
}

function report(
  trial: Trial,
  name: string,
  seen: { answers: Map<string, number>; answered: number[]; left: number },
): void {
  for (const [answer, count] of seen.answers) trial.figure(`${name}: sends answered ${answer}`, count);
  trial.figure(`${name}: answers that the agent gave in the loop`, seen.answered[0] ?? 0);
  trial.figure(`${name}: answers that the other agent gave`, seen.answered[1] ?? 0);
  trial.figure(`${name}: mails of the agent that left`, seen.left);
}

function judge(trial: Trial, answers: Map<string, number>, left: number): void {
  const known = ['201', '429 policy', '429 loop', '422'];
  const others = [...answers].filter(([answer]) => !known.includes(answer));
  const tried = [...answers.values()].reduce((sum, count) => sum + count, 0);
  trial.invariant(names.left, left, { most: mostCareful });
  trial.invariant(names.tried, tried, { least: attempts });
  trial.invariant(
    names.others,
    others.reduce((sum, [, count]) => sum + count, 0),
    { exactly: 0 },
    others.map(([answer]) => answer),
  );
}

interface Scene {
  client: Postrider;
  inbox: Inbox;
  other: Postrider;
  theirs: Inbox;
}

/** Makes the agents of two workspaces. The first may write to some people and to the other agent also under a careful policy. */
async function openScene(home: ServerHome, { client, url }: ServerProcess): Promise<Scene> {
  await home.operate('workspaces create', { name: 'other', plan: 'business', test: false });
  const made = (await home.operate('keys create', { workspace: 'other', name: 'agent' })) as { key: string };
  const other = new Postrider({ apiKey: made.key, baseURL: `${url}/v1`, maxRetries: 0 });
  for (const pattern of ['friends.example', 'agents.test'])
    await client.rules.create({ kind: 'allow', direction: 'outbound', pattern });
  const inbox = await client.inboxes.create({ local_part: 'runaway' });
  return { client, inbox, other, theirs: await other.inboxes.create({ local_part: 'polite' }) };
}

/** Passes mail for inboxes on from the relay to the server. */
function startRelaying(sink: MailSink, { smtpPort }: ServerProcess): { stop(): Promise<void> } {
  const stopped = new AbortController();
  const relay = async () => {
    for (let next = 0; !stopped.signal.aborted; await sleep(10))
      for (; next < sink.messages.length; next++) {
        const { from, recipients, raw } = sink.messages[next]!;
        const [to = ''] = recipients;
        // A refusal is the server's own word, and nobody tries again here.
        if (to.endsWith('@agents.test')) await sendBytes(smtpPort, { from, to }, raw).catch(() => {});
      }
  };
  const ended = relay();
  return {
    stop: async () => {
      stopped.abort();
      await ended;
      closeConnections(smtpPort);
    },
  };
}

/** Answers every message that an inbox receives, each until it is accepted. `stop` returns how many it answered. */
function startAnswering(client: Postrider, inbox: Inbox): { stop(): Promise<number> } {
  const stopped = new AbortController();
  let answered = 0;
  const answer = async ({ id }: Message) => {
    for (; !stopped.signal.aborted; await sleep(500)) {
      try {
        await client.messages.reply(id, { text: 'Thank you!', force: true });
        answered++;
        return;
      } catch {
        // It does not give up.
      }
    }
  };
  const loop = async () => {
    for await (const message of client.messages.stream({ inbox_id: inbox.id, signal: stopped.signal }))
      void answer(message);
  };
  const ended = loop().catch(() => {});
  return {
    stop: async () => {
      stopped.abort();
      await ended;
      return answered;
    },
  };
}

/** Sends to strangers, to people who are allowed and to the other agent, in turn. Returns how often there was each answer. */
async function runAway(home: ServerHome, { url }: ServerProcess, { inbox, theirs }: Scene) {
  const answers = new Map<string, number>();
  const until = performance.now() + minuteMs;
  const everyMs = (minuteMs * callers) / attempts;
  let tried = 0;
  const targets = (n: number) => [
    `stranger-${n}@else.example`,
    `friend-${n % people}@friends.example`,
    theirs.address,
  ];
  const attempt = async (body: Record<string, unknown>): Promise<boolean> => {
    const answer = await postMessage(url, home.key, body);
    const { status = 0, reason = '' } = (answer ?? {}) as { status?: number; reason?: string };
    const what = `${status} ${reason}`.trim();
    answers.set(what, (answers.get(what) ?? 0) + 1);
    return status === 201;
  };
  const call = async () => {
    while (tried < attempts || performance.now() < until) {
      const n = tried++;
      const nextAt = performance.now() + everyMs;
      const to = targets(n)[n % 3]!;
      const body = { inbox_id: inbox.id, to: [to], subject: `Urgent ${n}`, text: 'Please answer at once!' };
      // It repeats a refusal at once.
      if (!(await attempt(body))) {
        tried++;
        await attempt(body);
      }
      await sleep(Math.max(0, nextAt - performance.now()));
    }
  };
  await Promise.all(Array.from({ length: callers }, call));
  return answers;
}
