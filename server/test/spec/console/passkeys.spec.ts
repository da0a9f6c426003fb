import { consoleLimits } from '@postrider/contract/console';
import { ConsoleBrowser, makePerson, type TestPerson } from '@postrider/testkit/http/console-browser.ts';
import {
  type AuthenticatorPage,
  type CeremonyOptions,
  type SoftwarePasskey,
  softwarePasskey,
} from '@postrider/testkit/http/software-authenticator.ts';
import { startTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pickAdminDeps } from '../../../src/admin/command.ts';
import { peopleCommands } from '../../../src/admin/people.ts';
import { createResetLink } from '../../../src/people/factors/password.ts';

let now = new Date();
let server: TestServer;
/** The server by the name of this machine, because browsers have no passkeys for IP addresses. */
let page: AuthenticatorPage;

beforeAll(async () => {
  server = await startTestServer({ clock: { now: () => now } });
  page = { origin: `http://localhost:${new URL(server.url).port}` };
});
afterAll(() => server.stop());

interface Ceremony {
  ticket: string;
  options: CeremonyOptions & Record<string, unknown>;
}

const stranger = () => new ConsoleBrowser({ url: page.origin });
const post = (browser: ConsoleBrowser, path: string, body?: object) =>
  browser.request(path, { method: 'POST', ...(body && { body }) });

const begin = async (browser: ConsoleBrowser, path: string, body?: object) =>
  (await post(browser, path, body)).body as unknown as Ceremony;

const signedOn = async (): Promise<ConsoleBrowser & { person: TestPerson }> => {
  const person = await makePerson(server);
  const browser = stranger();
  await browser.signIn(person);
  return Object.assign(browser, { person });
};

/** Adds a passkey to the account of a person. */
const addTo = async (browser: ConsoleBrowser & { person: TestPerson }, key: SoftwarePasskey, at = page) => {
  const { ticket, options } = await begin(browser, '/me/passkeys/options', {
    password: browser.person.password,
  });
  return post(browser, '/me/passkeys', { ticket, name: 'Phone', response: key.create(options, at) });
};

const personWithPasskey = async (key = softwarePasskey()) => {
  const browser = await signedOn();
  const { status, body } = await addTo(browser, key);
  expect(status).toBe(201);
  return { browser, person: browser.person, key, id: body.id as string };
};

const signIn = async (key: SoftwarePasskey, at = page, browser = stranger()) => {
  const { ticket, options } = await begin(browser, '/session/passkey-options');
  return post(browser, '/session/passkey', { ticket, response: key.use(options, at) });
};

const refused = [401, 'wrong_sign_in'];
const outcome = ({ status, body }: { status: number; body: Record<string, unknown> }) => [status, body.error];

describe('a passkey', () => {
  test('signs in without an email address and without a code, and its use is noted', async () => {
    const { browser, person, key, id } = await personWithPasskey();
    await server.rows('update people set second_factor = $2 where id = $1', [person.id, 'x']);
    const other = stranger();
    const answer = await signIn(key, page, other);
    expect([answer.status, answer.body]).toMatchObject([200, { person: { id: person.id } }]);
    expect((await other.request('/session')).status).toBe(200);
    const { passkeys } = (await browser.request('/me/passkeys')).body;
    expect(passkeys).toEqual([
      { id, name: 'Phone', created_at: now.toISOString(), last_used_at: now.toISOString() },
    ]);
  });

  test('is asked for as one that verifies the person and can sign in by itself', async () => {
    const browser = await signedOn();
    const { password } = browser.person;
    const { options } = await begin(browser, '/me/passkeys/options', { password });
    expect(options).toMatchObject({
      rp: { id: 'localhost', name: 'Postrider' },
      user: { name: browser.person.email },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
    expect((await begin(stranger(), '/session/passkey-options')).options).toMatchObject({
      rpId: 'localhost',
      userVerification: 'required',
    });
  });

  test.each<[string, Partial<AuthenticatorPage>]>([
    ['made on a page of another origin', { origin: 'http://localhost:1' }],
    ['for another host name', { rpId: 'evil.example' }],
    ['without a look at the person', { isVerified: false }],
  ])('is neither added nor accepted %s', async (_, change) => {
    const browser = await signedOn();
    const added = await addTo(browser, softwarePasskey(), { ...page, ...change });
    expect(outcome(added)).toEqual([400, 'invalid_request']);
    const { key } = await personWithPasskey();
    expect(outcome(await signIn(key, { ...page, ...change }))).toEqual(refused);
    expect((await signIn(key)).status).toBe(200);
  });

  test('is good at the site that it was made for, whichever name the request gives the server', async () => {
    const { key, id } = await personWithPasskey();
    const siteOf = () => server.rows('select site from passkeys where id = $1', [id]);
    expect(await siteOf()).toEqual([{ site: 'localhost' }]);
    // As if it had been made at another name of this server.
    await server.rows(`update passkeys set site = 'mail.example.com' where id = $1`, [id]);
    expect(outcome(await signIn(key))).toEqual(refused);
    // One from before sites were remembered is bound by its next use.
    await server.rows('update passkeys set site = null where id = $1', [id]);
    expect((await signIn(key)).status).toBe(200);
    expect(await siteOf()).toEqual([{ site: 'localhost' }]);
  });

  test('is not accepted with the name of another person, nor from an unknown authenticator', async () => {
    const { key } = await personWithPasskey();
    const { person } = await personWithPasskey();
    const userHandle = Buffer.from(person.id).toString('base64url');
    expect(outcome(await signIn(key, { ...page, userHandle }))).toEqual(refused);
    expect(outcome(await signIn(softwarePasskey()))).toEqual(refused);
  });

  test('is not accepted once a copy of it was used', async () => {
    const { key } = await personWithPasskey();
    const copy = key.clone();
    for (const _ of [1, 2]) expect((await signIn(key)).status).toBe(200);
    expect(outcome(await signIn(copy))).toEqual(refused);
    expect((await signIn(key)).status).toBe(200);
  });

  test('need not count', async () => {
    const { key } = await personWithPasskey(softwarePasskey({ counts: false }));
    for (const _ of [1, 2]) expect((await signIn(key)).status).toBe(200);
  });

  test('is removed with the password, no longer signs in, and the other sessions end', async () => {
    const { browser, person, key, id } = await personWithPasskey();
    const other = stranger();
    await signIn(key, page, other);
    const remove = (by: ConsoleBrowser, password: string) =>
      by.request(`/me/passkeys/${id}`, { method: 'DELETE', body: { password } });
    expect((await remove(browser, 'not it')).body.error).toBe('wrong_password');
    const foreign = await signedOn();
    expect((await remove(foreign, foreign.person.password)).status).toBe(404);
    expect((await remove(browser, person.password)).status).toBe(204);
    expect((await remove(browser, person.password)).status).toBe(404);
    expect(outcome(await signIn(key))).toEqual(refused);
    expect((await other.request('/session')).status).toBe(401);
    expect((await browser.request('/session')).status).toBe(200);
    const noted = await server.rows(
      `select action, coalesce(before, after) as value from audit_entries where target = $1 and action like '%passkey%'
         order by seq`,
      [person.id],
    );
    expect(noted).toEqual([
      { action: 'person.passkey_added', value: { name: 'Phone' } },
      { action: 'person.passkey_removed', value: { name: 'Phone' } },
    ]);
  });

  test('goes with a new password that a link sets, since the one who added it may be a stranger', async () => {
    const { browser, person, key } = await personWithPasskey();
    const { password } = person;
    const begun = await begin(browser, '/me/passkeys/options', { password });
    const token = (await createResetLink(server.server.deps, person.id)).split('#')[1];
    const chosen = 'a long new secret';
    const set = await post(stranger(), '/password-resets/complete', { token, password: chosen });
    expect(set.status).toBe(204);
    expect(outcome(await signIn(key))).toEqual(refused);
    const response = softwarePasskey().create(begun.options, page);
    expect(
      (await post(browser, '/me/passkeys', { ticket: begun.ticket, name: 'Key', response })).status,
    ).toBe(401);
    await browser.signIn({ ...person, password: chosen });
    expect((await browser.request('/me/passkeys')).body.passkeys).toEqual([]);
  });

  test('goes with the second factor that the operator removes', async () => {
    const { browser, person, key } = await personWithPasskey();
    const deps = pickAdminDeps(server.server.deps);
    await peopleCommands['people second-factor-off'](deps, { email: person.email });
    expect(outcome(await signIn(key))).toEqual(refused);
    expect((await browser.request('/session')).status).toBe(401);
  });

  test('belongs to one person', async () => {
    const { key } = await personWithPasskey();
    expect(outcome(await addTo(await signedOn(), key))).toEqual([400, 'invalid_request']);
  });

  test('is one of twenty at most, also when several are added at once', async () => {
    const { browser, person } = await personWithPasskey();
    const limit = consoleLimits.passkeysPerPersonMax;
    await server.rows(
      `insert into passkeys select 'psk_' || n, $1, 'made-' || $1 || n, '\\x00', 0, '{}', 'Made', now(), null
       from generate_series(1, $2::int) n`,
      [person.id, limit - 3],
    );
    const { password } = person;
    const ceremonies = await Promise.all(
      Array.from({ length: 5 }, () => begin(browser, '/me/passkeys/options', { password })),
    );
    const added = await Promise.all(
      ceremonies.map(({ ticket, options }) =>
        post(browser, '/me/passkeys', {
          ticket,
          name: 'Key',
          response: softwarePasskey().create(options, page),
        }),
      ),
    );
    expect(added.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409, 409]);
    const { body } = await post(browser, '/me/passkeys/options', { password: person.password });
    expect(body).toMatchObject({ error: 'limit_reached', limit });
  });
});

describe('a ticket', () => {
  test('is good for one sign-in, also at the same time', async () => {
    const { key } = await personWithPasskey(softwarePasskey({ counts: false }));
    const { ticket, options } = await begin(stranger(), '/session/passkey-options');
    const response = key.use(options, page);
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => post(stranger(), '/session/passkey', { ticket, response })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401, 401]);
    for (const spelling of [`${ticket}.`, `${ticket}.x`])
      expect(outcome(await post(stranger(), '/session/passkey', { ticket: spelling, response }))).toEqual(
        refused,
      );
  });

  test('is good for one passkey, also after that was removed', async () => {
    const browser = await signedOn();
    const { password } = browser.person;
    const { ticket, options } = await begin(browser, '/me/passkeys/options', { password });
    const add = () =>
      post(browser, '/me/passkeys', {
        ticket,
        name: 'Key',
        response: softwarePasskey().create(options, page),
      });
    const first = await add();
    expect([first.status, (await add()).status]).toEqual([201, 400]);
    await browser.request(`/me/passkeys/${first.body.id}`, { method: 'DELETE', body: { password } });
    expect(outcome(await add())).toEqual([400, 'invalid_request']);
  });

  test('is good for five minutes, and for its own purpose, person and site', async () => {
    const { browser, person, key } = await personWithPasskey();
    const toSignIn = await begin(stranger(), '/session/passkey-options');
    const toAdd = await begin(browser, '/me/passkeys/options', { password: person.password });
    const signInWith = (ticket: string, options: CeremonyOptions, by = stranger()) =>
      post(by, '/session/passkey', { ticket, response: key.use(options, page) });
    const addWith = (by: ConsoleBrowser, { ticket, options }: Ceremony) =>
      post(by, '/me/passkeys', { ticket, name: 'Key', response: softwarePasskey().create(options, page) });
    expect((await signInWith(toAdd.ticket, toAdd.options)).status).toBe(401);
    expect((await addWith(browser, toSignIn)).status).toBe(400);
    expect((await addWith(await signedOn(), toAdd)).status).toBe(400);
    const [text = '', signature = ''] = toSignIn.ticket.split('.');
    for (const forged of ['', '.', text, `${text}.`, `${text}A.${signature}`, `${text}.${signature}A`])
      expect((await signInWith(forged, toSignIn.options)).status).toBe(401);
    now = new Date(now.getTime() + 5 * 60_000);
    expect((await signInWith(toSignIn.ticket, toSignIn.options)).status).toBe(401);
    expect((await addWith(browser, toAdd)).status).toBe(400);
  });
});

describe('a result', () => {
  test('with certificates is refused, since looking at them would ask servers of their choice', async () => {
    const certificate = Buffer.from('30820100', 'hex');
    const added = await addTo(await signedOn(), softwarePasskey(), { ...page, certificate });
    expect(outcome(added)).toEqual([400, 'invalid_request']);
  });

  test('may be anything, and is answered with an error of the caller', async () => {
    const { browser, key } = await personWithPasskey();
    const good = key.use({ challenge: 'x' }, page);
    const results: Record<string, unknown>[] = [
      {},
      { id: null },
      { id: 7, response: 'text' },
      { id: '\0', rawId: '\0', response: {} },
      { ...good, response: null },
      { ...good, response: { clientDataJSON: 'e30', authenticatorData: '', signature: '' } },
      { ...good, response: { ...(good.response as object), authenticatorData: 'AAAA' } },
      { ...good, response: { ...(good.response as object), clientDataJSON: '\ud800' } },
      { id: 'x'.repeat(5_000) },
      { ...good, response: { attestationObject: Buffer.alloc(3_000, 0x81).toString('base64url') } },
    ];
    for (const response of results) {
      const toSignIn = await begin(stranger(), '/session/passkey-options');
      const answer = await post(stranger(), '/session/passkey', { ticket: toSignIn.ticket, response });
      expect(outcome(answer)).toEqual(refused);
      const toAdd = await begin(browser, '/me/passkeys/options', {
        password: (browser as ConsoleBrowser & { person: TestPerson }).person.password,
      });
      const added = await post(browser, '/me/passkeys', { ticket: toAdd.ticket, name: 'Key', response });
      expect(outcome(added)).toEqual([400, 'invalid_request']);
    }
  });

  test('at an IP address cannot be, and the response says where to go', async () => {
    const answer = await post(new ConsoleBrowser(server), '/session/passkey-options');
    expect(answer.body).toMatchObject({
      error: 'invalid_request',
      issues: [{ path: 'origin', message: expect.stringContaining('under its name, or as localhost') }],
    });
  });
});
