import { consoleLimits } from '@postrider/contract/console';
import { ConsoleBrowser, makePerson, signedIn } from '@postrider/testkit/http/console-browser.ts';
import {
  joinTestServer,
  type TestServer,
  type TestWorkspace,
} from '@postrider/testkit/servers/test-server.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMailedResetLink, createResetLink } from '../../../src/people/factors/password.ts';

let server: TestServer;
let owner: Awaited<ReturnType<typeof signedIn>>;

beforeAll(async () => {
  server = await joinTestServer();
  owner = await signedIn(server);
});
afterAll(() => server.stop());

const password = 'a long new secret';
const post = (browser: ConsoleBrowser, path: string, body: object) =>
  browser.request(path, { method: 'POST', body });
const tokenOf = (link: unknown) => String(link).split('#')[1] ?? '';
const newAddress = () => `${server.freshName('guest')}@people.example`;

const invite = async (email: string, by: ConsoleBrowser = owner, role = 'member') => {
  const { status, body } = await post(by, '/invitations', { email, role });
  expect(status).toBe(201);
  return { token: tokenOf(body.link), id: body.id as string };
};
const accept = (token: string, more: object = {}) =>
  post(new ConsoleBrowser(server), '/invitations/accept', { token, name: 'Guest', password, ...more });
const show = (token: string) => post(new ConsoleBrowser(server), '/invitations/show', { token });
const expired = { status: 410, body: { error: 'link_expired' } };
const statuses = (answers: { status: number }[]) => answers.map(({ status }) => status).sort();

describe('the link of an invitation', () => {
  test('is accepted once, also when it is opened several times at once', async () => {
    const email = newAddress();
    const { token } = await invite(email);
    expect((await show(token)).body).toEqual({
      email,
      workspace_id: server.id,
      workspace: server.name,
      role: 'member',
      has_account: false,
    });
    const answers = await Promise.all(Array.from({ length: 5 }, () => accept(token)));
    expect(statuses(answers).filter((status) => status === 200)).toEqual([200]);
    expect(statuses(answers).every((status) => [200, 401, 410].includes(status))).toBe(true);
    expect(await show(token)).toMatchObject(expired);
    const rows = await server.rows('select name from people where email = $1', [email]);
    expect(rows).toEqual([{ name: 'Guest' }]);
  });

  test('no longer works once it has expired, was taken back or was replaced', async () => {
    const [late, revoked, replaced] = [newAddress(), newAddress(), newAddress()];
    const old = await invite(late);
    await server.rows(
      "update invitations set expires_at = expires_at - interval '7 days' where workspace_id = $1 and email = $2",
      [server.id, late],
    );
    const back = await invite(revoked);
    const path = `/invitations/${back.id}`;
    expect((await owner.request(path, { method: 'DELETE' })).status).toBe(204);
    expect((await owner.request(path, { method: 'DELETE' })).status).toBe(404);
    const first = await invite(replaced);
    const second = await invite(replaced, owner, 'owner');
    for (const token of [old.token, back.token, first.token, 'unknown', '']) {
      expect(await accept(token)).toMatchObject(expired);
      expect(await show(token)).toMatchObject(expired);
    }
    expect((await accept(second.token)).body).toMatchObject({ workspaces: [{ role: 'owner' }] });
  });

  test('asks a person with an account for its password and code, and a wrong one does not use it up', async () => {
    const guest = await makePerson(server, 'member', await server.workspace());
    const own = new ConsoleBrowser(server);
    await own.signIn(guest);
    await post(own, '/me/second-factor', { password: guest.password });
    await server.rows('update people set second_factor = second_factor_pending where id = $1', [guest.id]);
    const { token } = await invite(guest.email);
    expect((await show(token)).body.has_account).toBe(true);
    expect((await accept(token)).body.error).toBe('wrong_sign_in');
    const right = { password: guest.password };
    expect((await accept(token, right)).body).toMatchObject({
      error: 'second_factor_required',
      wrong: false,
    });
    expect((await accept(token, { ...right, code: '000000' })).body.wrong).toBe(true);
    await server.rows('update people set second_factor = null where id = $1', [guest.id]);
    const joined = await accept(token, { ...right, name: 'Another name' });
    expect(joined.body).toMatchObject({ person: { id: guest.id, name: 'Ada' } });
    expect(joined.body.workspaces).toHaveLength(2);
    const again = await post(owner, '/invitations', { email: guest.email, role: 'owner' });
    expect([again.status, again.body.error]).toEqual([409, 'already_member']);
  });

  test('needs a good password for a new account', async () => {
    const { token } = await invite(newAddress());
    const short = await accept(token, { password: 'short' });
    expect(short.body).toMatchObject({ error: 'invalid_request', issues: [{ path: 'password' }] });
    expect((await accept(token)).status).toBe(200);
  });

  test('of two workspaces at once makes one account, which is in both', async () => {
    const workspaces: TestWorkspace[] = [await server.workspace(), await server.workspace()];
    const owners = await Promise.all(workspaces.map((workspace) => signedIn(server, 'owner', workspace)));
    for (let round = 0; round < 3; round++) {
      const email = newAddress();
      const links = await Promise.all(owners.map((by) => invite(email, by)));
      const answers = await Promise.all(links.map(({ token }) => accept(token)));
      expect(statuses(answers)).toEqual([200, 200]);
      const rows = await server.rows(
        'select count(distinct p.id)::int as people, count(*)::int as memberships from people p join memberships m on m.person_id = p.id where email = $1',
        [email],
      );
      expect(rows).toEqual([{ people: 1, memberships: 2 }]);
    }
  });

  test('is refused where the workspace has as many members as it may, and is not used up', async () => {
    const workspace = await server.workspace();
    const by = await signedIn(server, 'owner', workspace);
    const { token } = await invite(newAddress(), by);
    const limit = consoleLimits.membersPerWorkspaceMax;
    const name = server.freshName('crowd');
    await server.rows(
      `with made as (insert into people (id, email, name, recovery_hashes, created_at)
         select 'usr_' || $2 || n, $2 || n || '@people.example', 'One of many', '{}', now()
         from generate_series(1, $3::int) n returning id)
       insert into memberships select $1, id, 'member', now() from made`,
      [workspace.id, name, limit - 1],
    );
    const full = await accept(token);
    expect([full.status, full.body]).toMatchObject([409, { error: 'limit_reached', limit }]);
    await server.rows('delete from memberships where workspace_id = $1 and person_id = $2', [
      workspace.id,
      `usr_${name}1`,
    ]);
    expect((await accept(token)).status).toBe(200);
  });

  test('of somebody who has become a member meanwhile leaves the role, and no trace of joining', async () => {
    const workspace = await server.workspace();
    const by = await signedIn(server, 'owner', workspace);
    const guest = await makePerson(server, 'member');
    const { token } = await invite(guest.email, by, 'owner');
    await server.rows("insert into memberships values ($1, $2, 'member', now())", [workspace.id, guest.id]);
    const answer = await accept(token, { password: guest.password });
    expect(answer.status).toBe(200);
    expect(answer.body.workspaces).toContainEqual(
      expect.objectContaining({ workspace_id: workspace.id, role: 'member' }),
    );
    const joined = await by.request('/audit?action=member.joined');
    expect(joined.body.entries).toEqual([]);
  });

  test('can be replaced at the limit of invitations, which those that have expired do not count for', async () => {
    const workspace = await server.workspace();
    const by = await signedIn(server, 'owner', workspace);
    const email = newAddress();
    await invite(email, by);
    const limit = consoleLimits.invitationsPerWorkspaceMax;
    await server.rows(
      `insert into invitations select $1, 'inv_' || n, n || '@people.example', 'member', sha256(($1 || n)::bytea),
         null, now(), now() + interval '1 day' from generate_series(1, $2::int) n`,
      [workspace.id, limit - 1],
    );
    await invite(email, by);
    const another = () => post(by, '/invitations', { email: newAddress(), role: 'member' });
    expect((await another()).body).toMatchObject({ error: 'limit_reached', limit });
    await server.rows('update invitations set expires_at = now() where workspace_id = $1 and email = $2', [
      workspace.id,
      '1@people.example',
    ]);
    expect((await another()).status).toBe(201);
    expect((await another()).status).toBe(409);
  });

  test('is one for each address, also when it is invited several times at once', async () => {
    const email = newAddress();
    const links = await Promise.all(Array.from({ length: 5 }, () => invite(email)));
    const shown = await Promise.all(links.map(({ token }) => show(token)));
    expect(statuses(shown)).toEqual([200, 410, 410, 410, 410]);
  });
});

describe('a link for a new password', () => {
  const linkFor = async (personId: string) => tokenOf(await createResetLink(server.server.deps, personId));
  const choose = (token: string, chosen = password) =>
    post(new ConsoleBrowser(server), '/password-resets/complete', { token, password: chosen });

  test('works once, also when it is used several times at once, or when there are others', async () => {
    const person = await makePerson(server);
    const tokens = [await linkFor(person.id), await linkFor(person.id)];
    const uses = [...tokens, ...tokens, ...tokens];
    const answers = await Promise.all(uses.map((token, use) => choose(token, `${password} ${use}`)));
    expect(statuses(answers)).toEqual([204, 410, 410, 410, 410, 410]);
    const chosen = answers.findIndex(({ status }) => status === 204);
    const signIn = (secret: string) => new ConsoleBrowser(server).signIn({ ...person, password: secret });
    expect((await signIn(`${password} ${chosen}`)).status).toBe(200);
    expect((await signIn(person.password)).status).toBe(401);
  });

  test('is not taken away by strangers who have links mailed, of which a few work at once', async () => {
    const person = await makePerson(server);
    const own = await linkFor(person.id);
    const { deps } = server.server;
    const mailed = await Promise.all(
      Array.from({ length: 12 }, (_, n) => createMailedResetLink(deps, person.id, `mail ${n}`)),
    );
    expect(mailed.filter((link) => link !== null)).toHaveLength(9);
    const again = await createMailedResetLink(deps, person.id, `mail ${mailed.findIndex(Boolean)}`);
    expect(again).toBe(mailed.find(Boolean));
    expect((await choose(own)).status).toBe(204);
    expect(await choose(tokenOf(again))).toMatchObject(expired);
  });

  test('ends all sessions, expires after an hour, and is gone once the password was changed', async () => {
    const browser = await signedIn(server);
    const { id } = browser.person;
    const [late, other] = [await linkFor(id), await linkFor(id)];
    await server.rows(
      "update password_resets set expires_at = expires_at - interval '1 hour' where token_hash = sha256($1::bytea)",
      [Buffer.from(late)],
    );
    expect(await choose(late)).toMatchObject(expired);
    expect((await browser.request('/session')).status).toBe(200);
    expect((await choose(other)).status).toBe(204);
    expect((await browser.request('/session')).status).toBe(401);
    const third = await linkFor(id);
    await browser.signIn({ ...browser.person, password });
    await post(browser, '/me/password', { current: password, password: 'yet another secret' });
    expect(await choose(third)).toMatchObject(expired);
  });

  test('leaves the second factor in force', async () => {
    const browser = await signedIn(server);
    const { person } = browser;
    await post(browser, '/me/second-factor', { password: person.password });
    await server.rows('update people set second_factor = second_factor_pending where id = $1', [person.id]);
    expect((await choose(await linkFor(person.id))).status).toBe(204);
    const answer = await new ConsoleBrowser(server).signIn({ ...person, password });
    expect(answer.body).toMatchObject({ error: 'second_factor_required', wrong: false });
  });
});
