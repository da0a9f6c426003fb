import { consoleLimits } from '@postrider/contract/console';
import { ConsoleBrowser, signedIn } from '@postrider/testkit/http/console-browser.ts';
import { startTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pickAdminDeps } from '../../../src/admin/command.ts';
import { peopleCommands } from '../../../src/admin/people.ts';
import { createResetLink } from '../../../src/people/factors/password.ts';

let now = new Date();
let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ clock: { now: () => now } });
});
afterAll(() => server.stop());

const post = (browser: ConsoleBrowser, path: string, body: object) =>
  browser.request(path, { method: 'POST', body });
const pass = (seconds: number) => {
  now = new Date(now.getTime() + seconds * 1_000);
};
const codeAt = (secret: string, seconds = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: now.getTime() + seconds * 1_000 });

const begin = async (browser: Awaited<ReturnType<typeof signedIn>>) =>
  (await post(browser, '/me/second-factor', { password: browser.person.password })).body as {
    secret: string;
    uri: string;
  };

/** A person with a second factor, whose app has shown a code once. */
const enrolled = async () => {
  const browser = await signedIn(server);
  const { secret } = await begin(browser);
  const { status, body } = await post(browser, '/me/second-factor/confirm', { code: codeAt(secret) });
  expect(status).toBe(200);
  pass(60);
  const signIn = (code?: string) => new ConsoleBrowser(server).signIn(browser.person, code);
  return { browser, secret, recovery: body.recovery_codes as string[], signIn };
};

const required = (wrong: boolean) => ({ error: 'second_factor_required', wrong });

describe('a second factor', () => {
  test('is in force once a code has proved it, and the other sessions end', async () => {
    const browser = await signedIn(server);
    const other = new ConsoleBrowser(server);
    await other.signIn(browser.person);
    const asked = await post(browser, '/me/second-factor', { password: 'not it' });
    expect(asked.body.error).toBe('wrong_password');
    const { secret, uri } = await begin(browser);
    expect(uri).toMatch(/^otpauth:\/\/totp\/Postrider:.*[?&]secret=/);
    expect((await new ConsoleBrowser(server).signIn(browser.person)).status).toBe(200);
    const wrong = await post(browser, '/me/second-factor/confirm', { code: '000000' });
    expect(wrong.body).toMatchObject(required(true));
    const { body } = await post(browser, '/me/second-factor/confirm', { code: codeAt(secret) });
    expect(new Set(body.recovery_codes as string[]).size).toBe(consoleLimits.recoveryCodes);
    expect((await other.request('/session')).status).toBe(401);
    expect((await browser.request('/session')).body).toMatchObject({
      person: { has_second_factor: true, recovery_codes_left: consoleLimits.recoveryCodes },
    });
    expect((await new ConsoleBrowser(server).signIn(browser.person)).body).toMatchObject(required(false));
    const [stored] = await server.rows('select * from people where id = $1', [browser.person.id]);
    for (const plain of [secret, ...(body.recovery_codes as string[])])
      expect(JSON.stringify(stored)).not.toContain(plain);
  });

  test('takes the codes of now and of one step before and after, each once, and none that is older', async () => {
    const { secret, signIn } = await enrolled();
    const [before, code, after, far] = [-30, 0, 30, 90].map((seconds) => codeAt(secret, seconds));
    expect((await signIn(far)).body).toMatchObject(required(true));
    expect((await signIn(code)).status).toBe(200);
    for (const used of [code, before]) expect((await signIn(used)).body).toMatchObject(required(true));
    expect((await signIn(after)).status).toBe(200);
  });

  test('says nothing about the password: a wrong one is answered as without it', async () => {
    const { browser, secret } = await enrolled();
    const guess = { ...browser.person, password: 'not it' };
    for (const code of [undefined, codeAt(secret)])
      expect((await new ConsoleBrowser(server).signIn(guess, code)).body.error).toBe('wrong_sign_in');
  });

  test.each(['code', 'recovery code'])(
    'takes a %s once, also when it comes several times at once',
    async (kind) => {
      const { secret, recovery, signIn } = await enrolled();
      const code = kind === 'code' ? codeAt(secret) : recovery[0];
      const answers = await Promise.all(Array.from({ length: 6 }, () => signIn(code)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401, 401]);
      expect((await signIn(code)).status).toBe(401);
    },
  );

  test('takes recovery codes however they are typed, and counts those that are left', async () => {
    const { recovery, signIn } = await enrolled();
    const typed = [recovery[0]?.toUpperCase(), recovery[1]?.replace('-', ''), ` ${recovery[2]} `];
    for (const code of typed) expect((await signIn(code)).status).toBe(200);
    expect((await signIn(recovery[3])).body).toMatchObject({
      person: { recovery_codes_left: consoleLimits.recoveryCodes - 4 },
    });
  });

  test('that a new root secret made unreadable lets a person in by a recovery code, and is set up anew', async () => {
    const { browser, secret, recovery, signIn } = await enrolled();
    await server.rows("update people set second_factor = 'k0.' || second_factor where email = $1", [
      browser.person.email,
    ]);
    expect((await signIn(codeAt(secret))).body).toMatchObject(required(true));
    expect((await signIn(recovery[0])).status).toBe(200);
    const again = await begin(browser);
    const confirmed = await post(browser, '/me/second-factor/confirm', { code: codeAt(again.secret) });
    expect(confirmed.status).toBe(200);
    pass(60);
    expect((await signIn(codeAt(again.secret))).status).toBe(200);
  });

  test('of whoever made the account by the link of an invitation goes with the help of the operator, and the account is the person’s', async () => {
    // Somebody with the link of the invitation made the account of another one, and gave it a second factor.
    const { browser, secret, signIn } = await enrolled();
    const { deps } = server.server;
    const token = (await createResetLink(deps, browser.person.id)).split('#')[1];
    const own = { ...browser.person, password: 'chosen by the person' };
    const reset = await post(new ConsoleBrowser(server), '/password-resets/complete', {
      token,
      password: own.password,
    });
    expect(reset.status, reset.text).toBeLessThan(300);
    // Neither has both: the mailbox alone is not enough, and the former password is gone.
    expect((await new ConsoleBrowser(server).signIn(own)).body).toMatchObject(required(false));
    expect((await signIn(codeAt(secret))).body.error).toBe('wrong_sign_in');
    expect((await browser.request('/session')).status).toBe(401);
    await peopleCommands['people second-factor-off'](pickAdminDeps(deps), { email: own.email });
    expect((await new ConsoleBrowser(server).signIn(own)).status).toBe(200);
    expect((await signIn(codeAt(secret))).body.error).toBe('wrong_sign_in');
  });

  test('stays through a new password, and is removed with the password', async () => {
    const { browser, secret, recovery, signIn } = await enrolled();
    await post(browser, '/me/password', { current: browser.person.password, password: 'a new long secret' });
    browser.person.password = 'a new long secret';
    expect((await signIn()).body).toMatchObject(required(false));
    const remove = (password: string) =>
      browser.request('/me/second-factor', { method: 'DELETE', body: { password } });
    expect((await remove('not it')).body.error).toBe('wrong_password');
    expect((await remove(browser.person.password)).status).toBe(204);
    expect((await signIn()).status).toBe(200);
    const again = await begin(browser);
    await post(browser, '/me/second-factor/confirm', { code: codeAt(again.secret) });
    pass(60);
    for (const old of [codeAt(secret), recovery[0]]) expect((await signIn(old)).status).toBe(401);
    const noted = await server.rows<{ action: string }>(
      "select action from audit_entries where target = $1 and action like '%factor%' order by seq",
      [browser.person.id],
    );
    expect(noted.map(({ action }) => action.replace('person.second_factor_', ''))).toEqual([
      'added',
      'removed',
      'added',
    ]);
  });
});
