import { ConsoleBrowser, makePerson, signedIn } from '@postrider/testkit/http/console-browser.ts';
import { joinTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let server: TestServer;

beforeAll(async () => {
  server = await joinTestServer();
});
afterAll(() => server.stop());

type Browser = Awaited<ReturnType<typeof signedIn>>;
const setRole = (by: Browser, who: string, role: string) =>
  by.request(`/members/${who}`, { method: 'PATCH', body: { role } });
const remove = (by: Browser, who: string) => by.request(`/members/${who}`, { method: 'DELETE' });
const ownersOf = async (id: string) =>
  (await server.rows("select person_id from memberships where workspace_id = $1 and role = 'owner'", [id]))
    .length;

/** Two owners of a workspace of their own. */
const twoOwners = async () => {
  const workspace = await server.workspace();
  const [one, other] = [
    await signedIn(server, 'owner', workspace),
    await signedIn(server, 'owner', workspace),
  ];
  return { workspace, one, other };
};

describe('the last owner of a workspace', () => {
  test('stays, whatever anybody does', async () => {
    const workspace = await server.workspace();
    const owner = await signedIn(server, 'owner', workspace);
    await makePerson(server, 'member', workspace);
    const { id } = owner.person;
    for (const answer of [await setRole(owner, id, 'member'), await remove(owner, id)])
      expect([answer.status, answer.body.error]).toEqual([409, 'last_owner']);
    expect((await setRole(owner, id, 'owner')).status).toBe(200);
  });

  test.each(['removed', 'made a member'])(
    'remains when two owners have each other %s at once',
    async (act) => {
      for (let round = 0; round < 5; round++) {
        const { workspace, one, other } = await twoOwners();
        const against = (by: Browser, who: Browser) =>
          act === 'removed' ? remove(by, who.person.id) : setRole(by, who.person.id, 'member');
        const answers = await Promise.all([against(one, other), against(other, one)]);
        expect(answers.filter(({ status }) => status < 300)).toHaveLength(1);
        // The loser meets the guard, or has lost session, membership or role before the request was looked at.
        const lost = answers.find(({ status }) => status >= 300);
        expect([401, 403, 404, 409]).toContain(lost?.status);
        expect(await ownersOf(workspace.id)).toBe(1);
      }
    },
  );

  test('remains when two owners leave at once', async () => {
    const { workspace, one, other } = await twoOwners();
    const answers = await Promise.all([one, other].map((each) => remove(each, each.person.id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 409]);
    expect(await ownersOf(workspace.id)).toBe(1);
  });
});

test('a change of the role ends the sessions of that person, and counts from the next sign-in on', async () => {
  const [owner, member] = [await signedIn(server), await signedIn(server, 'member')];
  expect((await member.request('/keys')).body.error).toBe('owner_only');
  expect((await setRole(owner, member.person.id, 'owner')).body).toMatchObject({ role: 'owner' });
  expect((await member.request('/session')).status).toBe(401);
  await member.signIn(member.person);
  expect((await member.request('/keys')).status).toBe(200);
  await setRole(owner, member.person.id, 'member');
  expect((await member.request('/keys')).status).toBe(401);
  await member.signIn(member.person);
  expect((await member.request('/keys')).body.error).toBe('owner_only');
  expect((await setRole(member, member.person.id, 'owner')).body.error).toBe('owner_only');
});

test('an owner who becomes a member stays signed in, and is one at once', async () => {
  const { one, other } = await twoOwners();
  expect((await setRole(one, one.person.id, 'member')).status).toBe(200);
  expect((await one.request('/keys')).body.error).toBe('owner_only');
  expect((await setRole(one, other.person.id, 'member')).body.error).toBe('owner_only');
});

test('a person who is removed is out at once, with requests that wait, and cannot come back', async () => {
  const [owner, member] = [await signedIn(server), await signedIn(server, 'member')];
  const waiting = member.request('/v1/messages?wait_seconds=60');
  expect((await remove(owner, member.person.id)).status).toBe(204);
  expect((await waiting).status).toBe(401);
  expect((await member.request('/session')).status).toBe(401);
  expect((await member.signIn(member.person)).body).toMatchObject({ workspaces: [] });
  expect((await member.request('/members', { workspace: server.id })).status).toBe(404);
  expect((await remove(owner, member.person.id)).status).toBe(404);
  const fresh = new ConsoleBrowser(server);
  await fresh.signIn(owner.person);
  const { entries } = (await fresh.request('/audit?action=member.removed')).body as { entries: object[] };
  expect(entries).toContainEqual(
    expect.objectContaining({ target: member.person.id, before: { role: 'member' } }),
  );
});
