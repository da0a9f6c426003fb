import type { ServerHome, ServerProcess } from '@postrider/testkit/servers/server-process.ts';
import { RawSmtpClient } from '@postrider/testkit/smtp/raw-smtp-client.ts';
import type { Fault } from '../fault.ts';
import { openSubject } from '../subject.ts';
import type { Trial } from '../trial.ts';

const progressEvery = 100;
/** The greatest age of a response in the control's cache. */
const keptMs = 1_000;
const names = {
  late: 'RCPTs that were accepted after the rule was made',
  stale: 'RCPTs that were refused after the rule was deleted',
  sent: 'checks of a send that named no rule after it was made',
  held: 'checks of a send that named the rule after it was deleted',
  refused: 'requests of a key before it was revoked that were not answered 200',
  revoked: 'requests that were not answered 401 after the key was revoked',
};

export const ruleRace: Fault = {
  name: 'rule-race',
  about:
    'a rule is made and deleted, and a key is revoked, each followed at once by RCPTs of open sessions and requests, on Postgres at two servers',
  times: { postgres: 1_000, own: 1_000 },
  control: {
    about: `before each server, a cache of what the rules and the keys came to that is at most ${keptMs} ms old`,
    breaks: [names.late, names.stale, names.sent, names.held, names.revoked],
    times: 50,
  },
  run: async (trial) => {
    const subject = await openSubject(trial);
    try {
      const count = trial.database === 'postgres' ? 2 : 1;
      const servers = await Promise.all(Array.from({ length: count }, () => subject.home.start()));
      await raceRules(trial, servers);
      await raceKeys(trial, servers, subject.home);
      await Promise.all(servers.map((server) => server.stop()));
    } finally {
      await subject.close();
    }
  },
};

/** Creates a tally of the responses that differ from the expected ones. */
function createTally(trial: Trial) {
  const wrong = new Map<string, string[]>();
  return {
    expect: (name: string, answers: unknown[], expected: unknown, round: number) => {
      const off = answers
        .filter((answer) => answer !== expected)
        .map((answer) => `round ${round}: ${answer}`);
      wrong.set(name, [...(wrong.get(name) ?? []), ...off]);
      trial.count('answers looked at', answers.length);
    },
    close: () => {
      for (const [name, all] of wrong) trial.invariant(name, all.length, { exactly: 0 }, all);
    },
  };
}

/** Creates a function that asks the server, or in a control returns its response of a moment ago. */
function createAsk({ control }: Trial) {
  const kept = new Map<string, { answer: unknown; untilMs: number }>();
  return async <T>(what: string, ask: () => Promise<T>): Promise<T> => {
    const known = kept.get(what);
    if (control && known && known.untilMs > performance.now()) return known.answer as T;
    const answer = await ask();
    kept.set(what, { answer, untilMs: performance.now() + keptMs });
    return answer;
  };
}

async function raceRules(trial: Trial, servers: ServerProcess[]): Promise<void> {
  const { id: inboxId, address } = await servers[0]!.client.inboxes.create({ local_part: 'guarded' });
  const sessions = await Promise.all(servers.map(({ smtpPort }) => RawSmtpClient.greet(smtpPort)));
  const ask = createAsk(trial);
  const tally = createTally(trial);
  const rcpts = (from: string) =>
    Promise.all(sessions.map((smtp, index) => ask(`rcpt ${index} ${from}`, () => rcpt(smtp, from, address))));
  const drops = (to: string) =>
    Promise.all(
      servers.map((server, index) => ask(`check ${index} ${to}`, () => check(server, inboxId, to))),
    );
  for (let round = 0; round < trial.times; round++) {
    const { client } = servers[round % servers.length]!;
    const host = `host-${round}.example`;
    // One sender was seen before there was a rule, and the other while there was one. Each would mislead a cache in its own way.
    const [early, late] = [`a@mail.${host}`, `b@mail.${host}`];
    await Promise.all([rcpts(early), drops(early)]);
    const pattern = trial.random() < 0.5 ? host : `mail.${host}`;
    const { id } = await client.rules.create({ kind: 'block', direction: 'both', pattern });
    for (const person of [early, late]) {
      tally.expect(names.late, await rcpts(person), 550, round);
      tally.expect(names.sent, await drops(person), id, round);
    }
    await client.rules.delete(id);
    tally.expect(names.stale, await rcpts(late), 250, round);
    tally.expect(names.held, await drops(late), null, round);
    if ((round + 1) % progressEvery === 0) trial.progress(`rule ${round + 1} of ${trial.times}`);
  }
  tally.close();
  for (const smtp of sessions) smtp.destroy();
  trial.figure('rules made and deleted', trial.times);
}

/**
 * Returns the reply code to a recipient. An accepted one is sent a mail, because a client that sends none is disconnected for its errors.
 */
async function rcpt(smtp: RawSmtpClient, from: string, to: string): Promise<number> {
  const [, code = 0] = await smtp.codes(`MAIL FROM:<${from}>`, `RCPT TO:<${to}>`);
  if (code !== 250) await smtp.command('RSET');
  else {
    await smtp.command('DATA');
    await smtp.command(`Subject: taken\r\n\r\n${performance.now()}\r\n.`);
  }
  return code;
}

/** Returns the id of the rule that would drop the recipient of a send. */
async function check({ client }: ServerProcess, inbox_id: string, to: string): Promise<string | null> {
  const { dropped } = await client.messages.check({ inbox_id, to: [to], subject: 'x' });
  return dropped[0]?.rule_id ?? null;
}

async function raceKeys(trial: Trial, servers: ServerProcess[], home: ServerHome): Promise<void> {
  const ask = createAsk(trial);
  const tally = createTally(trial);
  const statuses = (key: string) =>
    Promise.all(servers.map((server, index) => ask(`${index} ${key}`, () => readStatus(server, key))));
  for (let round = 0; round < trial.times; round++) {
    const name = `key ${round}`;
    const made = (await home.operate('keys create', { workspace: 'home', name })) as {
      id: string;
      key: string;
    };
    tally.expect(names.refused, await statuses(made.key), 200, round);
    await home.operate('keys revoke', { id: made.id });
    tally.expect(names.revoked, await statuses(made.key), 401, round);
    if ((round + 1) % progressEvery === 0) trial.progress(`key ${round + 1} of ${trial.times}`);
  }
  tally.close();
  trial.figure('keys revoked', trial.times);
}

async function readStatus({ url }: ServerProcess, key: string): Promise<number> {
  const response = await fetch(`${url}/v1/lists`, { headers: { authorization: `Bearer ${key}` } });
  await response.arrayBuffer();
  return response.status;
}
