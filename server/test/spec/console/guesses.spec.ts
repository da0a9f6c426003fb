import { createHook } from 'node:async_hooks';
import { ConsoleBrowser, makePerson, type TestPerson } from '@postrider/testkit/http/console-browser.ts';
import type { PlainAnswer } from '@postrider/testkit/http/plain-request.ts';
import { softwarePasskey } from '@postrider/testkit/http/software-authenticator.ts';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { type ServerWithSink, startServerWithSink } from '@postrider/testkit/servers/server-with-sink.ts';
import { simpleParser } from 'mailparser';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { guessRates } from '../../../src/lib/admission/server-limits.ts';
import { createResetLink } from '../../../src/people/factors/password.ts';
import { getPerson } from '../../../src/people/person.ts';
import { newDeviceToken } from '../../../src/people/sessions/sign-in-gate.ts';

let relayed: ServerWithSink;
let server: ServerWithSink['server'];

const usualRates = structuredClone(guessRates);

beforeAll(async () => {
  // No guess comes back while a slow machine hashes.
  for (const rate of Object.values(guessRates)) rate.perMinute = 1e-6;
  relayed = await startServerWithSink({
    env: { POSTRIDER_RATE_LIMITS: 'on', POSTRIDER_TRUST_PROXY: 'loopback' },
  });
  server = relayed.server;
});
afterAll(async () => {
  Object.assign(guessRates, usualRates);
  await relayed?.stop();
});

let clients = 0;
/** A client with an address that no other has. */
const client = (url = server.url) => {
  const browser = new ConsoleBrowser({ url });
  clients += 1;
  const address = `198.51.${clients >> 8}.${clients & 255}`;
  const post = (path: string, body: object) =>
    browser.request(path, { method: 'POST', body, headers: { 'x-forwarded-for': address } });
  const signIn = (person: Pick<TestPerson, 'email' | 'password'>, code?: string) =>
    post('/session', { email: person.email, password: person.password, ...(code && { code }) });
  return { browser, post, signIn };
};

const wrong = (person: TestPerson) => ({ ...person, password: 'a wrong guess' });

/** Uses up the guesses that strangers have on an account, each from an address of its own. */
const flood = async (person: TestPerson) => {
  for (let guess = 0; guess < guessRates.account.burst; guess++)
    expect((await client().signIn(wrong(person))).status).toBe(401);
};

describe('guesses of strangers on one account', () => {
  test('are limited however many clients they come from, and the response says how long', async () => {
    const person = await makePerson(server);
    await flood(person);
    for (const guess of [wrong(person), person]) {
      const { status, body, headers } = await client().signIn(guess);
      expect([status, body.error]).toEqual([429, 'rate_limited']);
      expect(Number(headers.get('retry-after'))).toBe(body.retry_after_seconds);
      expect(body.message).toMatch(/use a passkey/);
    }
    expect((await client().signIn(await makePerson(server))).status).toBe(200);
    const noted = await eventually('the audit log', () =>
      server.rows(
        `select actor_kind, after from audit_entries where action = 'person.locked_out' and target = $1`,
        [person.id],
      ),
    );
    expect(noted).toEqual([{ actor_kind: 'server', after: { guessed: 'password' } }]);
  });

  test('do not keep the person out on a device that is known', async () => {
    const person = await makePerson(server);
    const known = client();
    expect((await known.signIn(person)).status).toBe(200);
    await known.browser.request('/session', { method: 'DELETE' });
    await flood(person);
    expect((await client().signIn(person)).status).toBe(429);
    expect((await known.signIn(person)).status).toBe(200);
  });

  test('are no more by a device that is known for another person, or by a cookie that is made up', async () => {
    const [person, stranger] = [await makePerson(server), await makePerson(server)];
    const forger = client();
    await forger.signIn(stranger);
    await flood(person);
    expect((await forger.signIn(person)).status).toBe(429);
    const made = client();
    for (const cookie of ['x', `${person.id}.x`, 'A'.repeat(22), '']) {
      made.browser.cookies.set('__Host-postrider_device', cookie);
      expect((await made.signIn(person)).status).toBe(429);
    }
  });

  test('do not keep the person from signing in by a passkey', async () => {
    const person = await makePerson(server);
    const origin = `http://localhost:${new URL(server.url).port}`;
    const [own, key] = [client(origin), softwarePasskey()];
    await own.signIn(person);
    const ceremony = async (by: typeof own, path: string, body: object) =>
      (await by.post(path, body)).body as { ticket: string; options: { challenge: string } };
    const adding = await ceremony(own, '/me/passkeys/options', { password: person.password });
    const added = await own.post('/me/passkeys', {
      ticket: adding.ticket,
      name: 'Key',
      response: key.create(adding.options, { origin }),
    });
    expect(added.status).toBe(201);
    await flood(person);
    const other = client(origin);
    const { ticket, options } = await ceremony(other, '/session/passkey-options', {});
    const response = key.use(options, { origin });
    expect((await other.post('/session/passkey', { ticket, response })).status).toBe(200);
  });

  test('nor from choosing a new password by a link that comes by mail, and from signing in with it', async () => {
    const person = await makePerson(server);
    await flood(person);
    for (let request = 0; request < 8; request++)
      expect((await client().post('/password-resets', { email: person.email })).status).toBe(202);
    const [first] = await eventually('the mail', async () => {
      const mails = relayed.sink.copiesFor(person.email);
      return mails.length >= 5 && mails;
    });
    const { text } = await simpleParser(first?.raw ?? '');
    const token = /new-password#([\w-]{43})/.exec(text ?? '')?.[1];
    const own = client();
    const password = 'a new long secret';
    expect((await own.post('/password-resets/complete', { token, password })).status).toBe(204);
    expect((await own.signIn({ ...person, password })).status).toBe(200);
    expect(relayed.sink.copiesFor(person.email)).toHaveLength(5);
  });

  test('count also where the password is right and the code is wrong', async () => {
    const person = await makePerson(server);
    const own = client();
    await own.signIn(person);
    await own.post('/me/second-factor', { password: person.password });
    await server.rows('update people set second_factor = second_factor_pending where id = $1', [person.id]);
    const codes = Array.from({ length: guessRates.account.burst }, (_, code) => `00000${code}`);
    for (const code of codes)
      expect((await client().signIn(person, code)).body).toMatchObject({
        error: 'second_factor_required',
        wrong: true,
      });
    expect((await client().signIn(person, '123456')).status).toBe(429);
  });
});

test('guesses of one client on many accounts are limited, and other clients go on', async () => {
  const guesser = client();
  const statuses: number[] = [];
  for (let guess = 0; guess <= guessRates.client.burst; guess++) {
    const email = `${server.freshName('nobody')}@people.example`;
    statuses.push((await guesser.signIn({ email, password: 'a guess' })).status);
  }
  expect(statuses.slice(0, -1).every((status) => status === 401)).toBe(true);
  expect(statuses.at(-1)).toBe(429);
  expect((await client().signIn(await makePerson(server))).status).toBe(200);
});

test('guesses on a device that is known have a limit, which is that of the device alone', async () => {
  const person = await makePerson(server);
  const [stolen, own] = [client(), client()];
  for (const device of [stolen, own]) await device.signIn(person);
  for (let guess = 0; guess < guessRates.device.burst; guess++)
    expect((await stolen.signIn(wrong(person))).status).toBe(401);
  expect((await stolen.signIn(person)).status).toBe(429);
  expect((await own.signIn(person)).status).toBe(200);
  expect((await client().signIn(person)).status).toBe(200);
});

/** Chooses a new password as somebody does who reads the mail of a person. */
const reset = async (by: ReturnType<typeof client>, person: TestPerson, password: string) => {
  const token = (await createResetLink(server.server.deps, person.id)).split('#')[1];
  expect((await by.post('/password-resets/complete', { token, password })).status).toBe(204);
  return { ...person, password };
};

test('guesses of a code are limited for the person, however many links for a new password are used', async () => {
  const person = await makePerson(server);
  const own = client();
  await own.signIn(person);
  await own.post('/me/second-factor', { password: person.password });
  await server.rows('update people set second_factor = second_factor_pending where id = $1', [person.id]);
  const answers: PlainAnswer[] = [];
  for (let round = 0; round < 3; round++) {
    const intruder = client();
    const known = await reset(intruder, person, `chosen in round ${round}`);
    for (let guess = 0; guess < 5; guess++) answers.push(await intruder.signIn(known, `00000${guess}`));
  }
  const { burst } = guessRates.code;
  const statuses = answers.map(({ status }) => status);
  expect(statuses).toEqual([...Array(burst).fill(401), ...Array(15 - burst).fill(429)]);
  expect(answers.at(-1)?.body.message).toMatch(/^Too many attempts\. Wait \d+ minutes, or use a passkey\.$/);
});

test('a device is known until the password changes, and the one on which it changed stays known', async () => {
  const person = await makePerson(server);
  const [here, there] = [client(), client()];
  for (const device of [here, there]) await device.signIn(person);
  const password = 'a new long secret';
  const changed = await here.post('/me/password', { current: person.password, password });
  expect(changed.status).toBe(204);
  await flood(person);
  expect((await there.signIn({ ...person, password })).status).toBe(429);
  expect((await here.signIn({ ...person, password })).status).toBe(200);
});

test('a device is known for a year', async () => {
  const { deps } = server.server;
  const person = await makePerson(server);
  const { password_hash } = await getPerson(deps, person.id);
  const daysAgo = (days: number) => {
    const at = new Date(Date.now() - days * 86_400_000);
    return newDeviceToken({ keys: deps.keys, clock: { now: () => at } }, { id: person.id, password_hash });
  };
  await flood(person);
  const device = client();
  for (const [days, status] of [
    [366, 429],
    [364, 200],
  ] as const) {
    device.browser.cookies.set('__Host-postrider_device', daysAgo(days));
    expect((await device.signIn(person)).status).toBe(status);
  }
});

test('right passwords are limited too, so that a session cannot have hashes made without end', async () => {
  const person = await makePerson(server);
  const own = client();
  await own.signIn(person);
  const answers: PlainAnswer[] = [];
  for (let act = 0; act <= guessRates.right.burst; act++)
    answers.push(await own.post('/me/second-factor', { password: person.password }));
  expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(
    guessRates.right.burst - 1,
  );
  expect(answers.at(-1)).toMatchObject({ status: 429, body: { error: 'rate_limited' } });
});

test('invitations beyond a few an hour for one address are made, and not mailed', async () => {
  const [one, other] = [await makePerson(server), await makePerson(server)];
  const email = `${server.freshName('invited')}@people.example`;
  const mailed: unknown[] = [];
  for (const owner of [one, one, other, other, one]) {
    const by = client();
    by.browser.workspace = server.id;
    await by.signIn(owner);
    const { status, body } = await by.post('/invitations', { email, role: 'member' });
    expect([status, body.link]).toEqual([201, expect.stringContaining('/invitation#')]);
    mailed.push(body.mailed);
  }
  expect(mailed).toEqual([true, true, true, false, false]);
});

describe('a link', () => {
  test('that is unknown has no password hashed', async () => {
    const guess = { token: 'A'.repeat(43), password: 'a new long secret' };
    const hashes = await hashesIn(async () => {
      expect((await client().post('/password-resets/complete', guess)).status).toBe(410);
    });
    expect(hashes).toBe(0);
  });

  test('has a limited number of passwords hashed at once for a client', async () => {
    const person = await makePerson(server);
    const token = (await createResetLink(server.server.deps, person.id)).split('#')[1];
    const greedy = client();
    const count = guessRates.client.burst + 10;
    const answers = await Promise.all(
      Array.from({ length: count }, () =>
        greedy.post('/password-resets/complete', { token, password: 'a new long secret' }),
      ),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 204)).toHaveLength(1);
    expect(statuses.every((status) => [204, 410, 429].includes(status))).toBe(true);
    expect(statuses).toContain(429);
  });
});

/** Counts the hashes of passwords that begin while `work` runs. */
const hashesIn = async (work: () => Promise<unknown>) => {
  let count = 0;
  const hook = createHook({
    init: (_id, type) => {
      if (/ARGON2|SCRYPT/i.test(type)) count += 1;
    },
  }).enable();
  await work();
  hook.disable();
  return count;
};

describe('an unknown address', () => {
  test('is answered as a wrong password is, after the same work', async () => {
    const person = await makePerson(server);
    const unknown = { ...person, email: `no-${person.email}` };
    const answers: PlainAnswer[] = [];
    const hashes: number[] = [];
    for (const guess of [wrong(person), wrong(unknown), { ...unknown, password: '' }])
      hashes.push(await hashesIn(async () => answers.push(await client().signIn(guess))));
    expect(hashes).toEqual([1, 1, 1]);
    const shown = answers.map(({ status, body, headers }) => {
      const { request_id, ...rest } = body;
      return { status, rest, names: [...headers.keys()], type: typeof request_id };
    });
    expect(shown[1]).toEqual(shown[0]);
    expect(shown[2]).toEqual(shown[0]);
  });

  test('is limited as one with an account is', async () => {
    const person = await makePerson(server);
    const unknown = { ...person, email: `no-${person.email}` };
    for (const each of [person, unknown]) await flood(each);
    const [known, other] = [await client().signIn(person), await client().signIn(unknown)];
    expect([other.status, other.body.error]).toEqual([known.status, known.body.error]);
    expect(other.status).toBe(429);
  });
});

test('Interface 20: guesses of passwords are limited also where rates are off', async () => {
  const relaxed = await startServerWithSink({ env: { POSTRIDER_RATE_LIMITS: 'off' } });
  try {
    const person = await makePerson(relaxed.server);
    const guess = async () => {
      const { status } = await new ConsoleBrowser(relaxed.server).signIn(wrong(person));
      return status;
    };
    const statuses = [];
    for (let count = 0; count < guessRates.account.burst + 3; count++) statuses.push(await guess());
    expect(statuses.slice(0, guessRates.account.burst)).toEqual(Array(guessRates.account.burst).fill(401));
    expect(statuses.slice(guessRates.account.burst)).toEqual([429, 429, 429]);
  } finally {
    await relaxed.stop();
  }
});
