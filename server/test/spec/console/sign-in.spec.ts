import { ConsoleBrowser, makePerson, signedIn } from '@postrider/testkit/http/console-browser.ts';
import { joinTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let server: TestServer;

beforeAll(async () => {
  server = await joinTestServer();
});
afterAll(() => server.stop());

describe('a session', () => {
  test('begins with the right password, and is the person, the workspaces and the server', async () => {
    const person = await makePerson(server);
    const browser = new ConsoleBrowser(server);
    const answer = await browser.signIn({ ...person, email: person.email.toUpperCase() });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      person: { id: person.id, email: person.email, has_password: true, has_second_factor: false },
      workspaces: [
        { workspace_id: server.id, name: server.name, role: 'owner', plan: 'business', test: false },
      ],
      server: { api_url: `${server.url}/v1`, mail_domain: 'postrider.test', transport: 'sandbox' },
    });
    expect((await browser.request('/session')).body).toEqual(answer.body);
    expect(answer.text).not.toMatch(/secret|hash/i);
  });

  test('has a cookie that no sibling host can set, no script can read and no foreign page can use', async () => {
    const person = await makePerson(server);
    const { headers } = await new ConsoleBrowser(server).signIn(person);
    const cookies = headers.getSetCookie();
    expect(cookies).toHaveLength(2);
    for (const cookie of cookies) {
      expect(cookie).toMatch(/^__Host-postrider_(session|device)=[\w.-]+; /);
      expect(cookie).toMatch(/; Path=\/; .*HttpOnly; Secure; SameSite=Lax$/);
      expect(cookie).not.toMatch(/domain/i);
    }
  });

  test('is refused for a wrong password and an unknown address alike', async () => {
    const { email } = await makePerson(server);
    const browser = new ConsoleBrowser(server);
    const wrong = await browser.signIn({ email, password: 'not the secret' });
    const unknown = await browser.signIn({ email: `no-${email}`, password: 'not the secret' });
    for (const { status, body, headers } of [wrong, unknown]) {
      expect([status, body.error]).toEqual([401, 'wrong_sign_in']);
      expect(headers.getSetCookie()).toEqual([]);
    }
    expect(wrong.body.message).toBe(unknown.body.message);
  });

  test('has a new token after each sign-in, and the one before it is of no use (session fixation)', async () => {
    const browser = await signedIn(server);
    const before = new Map(browser.cookies);
    await browser.signIn(browser.person);
    expect(browser.cookies.get('__Host-postrider_session')).not.toBe(before.get('__Host-postrider_session'));
    const old = new ConsoleBrowser(server);
    for (const [name, value] of before) old.cookies.set(name, value);
    expect((await old.request('/session')).status).toBe(401);
  });

  test('is not one that the browser brought along', async () => {
    const browser = new ConsoleBrowser(server);
    const planted = 'A'.repeat(43);
    browser.cookies.set('__Host-postrider_session', planted);
    browser.cookies.set('postrider_session', planted);
    expect((await browser.request('/session')).body.error).toBe('not_signed_in');
    await browser.signIn(await makePerson(server));
    expect(browser.cookies.get('__Host-postrider_session')).not.toBe(planted);
  });

  test('ends by signing out, and the token with it', async () => {
    const browser = await signedIn(server);
    const cookie = browser.cookie;
    expect((await browser.request('/session', { method: 'DELETE' })).status).toBe(204);
    expect(browser.cookies.has('__Host-postrider_session')).toBe(false);
    expect((await browser.request('/session', { headers: { cookie } })).status).toBe(401);
  });

  test('is listed, and the others can be ended from it', async () => {
    const here = await signedIn(server);
    const there = new ConsoleBrowser(server);
    await there.signIn(here.person);
    const listed = (await here.request('/me/sessions')).body.sessions as { id: string; current: boolean }[];
    expect(listed.map(({ current }) => current).sort()).toEqual([false, true]);
    const other = listed.find(({ current }) => !current)?.id;
    expect((await here.request(`/me/sessions/${other}`, { method: 'DELETE' })).status).toBe(204);
    expect((await there.request('/session')).status).toBe(401);
    expect((await here.request(`/me/sessions/${other}`, { method: 'DELETE' })).status).toBe(404);
    await there.signIn(here.person);
    expect((await here.request('/me/sessions', { method: 'DELETE' })).status).toBe(204);
    expect((await there.request('/session')).status).toBe(401);
    expect((await here.request('/session')).status).toBe(200);
  });

  test('of another person cannot be ended, nor seen', async () => {
    const [one, other] = [await signedIn(server), await signedIn(server)];
    const [own] = (await other.request('/me/sessions')).body.sessions as { id: string }[];
    expect((await one.request(`/me/sessions/${own?.id}`, { method: 'DELETE' })).status).toBe(404);
    expect((await other.request('/session')).status).toBe(200);
  });

  test('ends when it was idle for a week, and thirty days after the sign-in', async () => {
    const browser = await signedIn(server);
    const age = (column: string, interval: string) =>
      server.rows(`update person_sessions set ${column} = ${column} - $2::interval where person_id = $1`, [
        browser.person.id,
        interval,
      ]);
    await age('last_seen_at', '6 days 23 hours');
    expect((await browser.request('/session')).status).toBe(200);
    await browser.signIn(browser.person);
    await age('last_seen_at', '7 days');
    expect((await browser.request('/session')).status).toBe(401);
    await browser.signIn(browser.person);
    await age('expires_at', '29 days 23 hours');
    expect((await browser.request('/session')).status).toBe(200);
    await age('expires_at', '2 hours');
    expect((await browser.request('/session')).status).toBe(401);
  });
});

describe('a password', () => {
  test('is changed with the one before it, and the other sessions end', async () => {
    const here = await signedIn(server);
    const there = new ConsoleBrowser(server);
    await there.signIn(here.person);
    const change = (current: string, password: string) =>
      here.request('/me/password', { method: 'POST', body: { current, password } });
    expect((await change('not it', 'a new secret')).body.error).toBe('wrong_password');
    expect((await change(here.person.password, 'short')).body).toMatchObject({
      error: 'invalid_request',
      issues: [{ path: 'password', message: 'must have at least 10 characters' }],
    });
    expect((await change(here.person.password, 'a new secret')).status).toBe(204);
    expect((await here.request('/session')).status).toBe(200);
    expect((await there.request('/session')).status).toBe(401);
    expect((await there.signIn(here.person)).status).toBe(401);
    expect((await there.signIn({ ...here.person, password: 'a new secret' })).status).toBe(200);
  });
});
