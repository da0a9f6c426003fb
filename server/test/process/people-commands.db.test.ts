import { ConsoleBrowser } from '@postrider/testkit/http/console-browser.ts';
import { makeServerHome, type ServerHome } from '@postrider/testkit/servers/server-process.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let home: ServerHome;

beforeAll(async () => {
  home = await makeServerHome();
});
afterAll(() => home.remove());

/** Runs a verb that must succeed, and gives what it printed. */
const run = async (args: string[], env = {}): Promise<string> => {
  const { code, output } = await home.run(args, env);
  expect([args, code, output]).toEqual([args, 0, output]);
  return output.trim();
};

/** Runs a verb that must fail, and gives the sentence that it says. */
const fail = async (args: string[]): Promise<string> => {
  const { code, output } = await home.run(args);
  expect([args, code]).toEqual([args, 1]);
  expect(output).not.toContain('    at ');
  return output.trim();
};

const tokenOf = (link: string) => link.split('#')[1] ?? '';
const post = (browser: ConsoleBrowser, path: string, body: object) =>
  browser.request(path, { method: 'POST', body });

// By the socket of a server it is the same on every database, and starts are quicker on Postgres.
describe('the verbs about people, beside a server', () => {
  test('let an operator bring people in and out, and the audit log names the operator', async () => {
    const server = await home.start();
    const ofHome = ['--workspace', 'home'];
    const [email, other] = ['ada@people.example', 'eve@people.example'];
    const link = await run(['people', 'invite', 'Ada@People.example', ...ofHome, '--role', 'owner']);
    expect(link).toMatch(new RegExp(`^${server.url}/console/invitation#[\\w-]{43}$`));
    const ada = new ConsoleBrowser(server);
    const password = 'a long secret';
    const joined = await post(ada, '/invitations/accept', { token: tokenOf(link), name: 'Ada', password });
    expect(joined.body).toMatchObject({ workspaces: [{ name: 'home', role: 'owner' }] });
    ada.workspace =
      (joined.body as { workspaces: { workspace_id: string }[] }).workspaces[0]?.workspace_id ?? '';

    const second = await run(['people', 'invite', other, ...ofHome]);
    await post(new ConsoleBrowser(server), '/invitations/accept', { token: tokenOf(second), password });
    expect(JSON.parse(await run(['people', 'list']))).toMatchObject([
      { email, name: 'Ada', workspaces: [{ name: 'home', role: 'owner' }], passkeys: 0 },
      { email: other, workspaces: [{ name: 'home', role: 'member' }], second_factor: false },
    ]);

    expect(await fail(['people', 'remove', email, ...ofHome])).toMatch(
      /without an owner\. Make somebody else/,
    );
    expect(await fail(['people', 'invite', other, ...ofHome])).toContain('is already in the workspace.');
    const changed = JSON.parse(await run(['people', 'set-role', other, 'owner', ...ofHome]));
    expect(changed).toMatchObject({ email: other, role: 'owner' });

    const reset = tokenOf(await run(['people', 'reset', other]));
    const eve = new ConsoleBrowser(server);
    const completed = await post(eve, '/password-resets/complete', {
      token: reset,
      password: 'a new secret',
    });
    expect(completed.status).toBe(204);
    expect((await eve.signIn({ email: other, password: 'a new secret' })).status).toBe(200);
    expect(JSON.parse(await run(['people', 'second-factor-off', other]))).toEqual({
      email: other,
      second_factor: false,
    });
    expect((await eve.request('/session')).status).toBe(401);
    await run(['people', 'remove', other, ...ofHome]);
    expect(await fail(['people', 'remove', other, ...ofHome])).toContain('is not in the workspace home.');

    const { id } = JSON.parse(await run(['keys', 'create', ...ofHome, '--name', 'ci'])) as { id: string };
    for (const _ of [1, 2]) await run(['keys', 'revoke', id]);
    const { entries } = (await ada.request('/audit')).body as unknown as {
      entries: { action: string; target: string; actor: object }[];
    };
    const ofOperator = entries.filter(({ actor }) => (actor as { kind: string }).kind === 'operator');
    expect(ofOperator.map(({ action }) => action).reverse()).toEqual([
      'member.invited',
      'member.invited',
      'member.role_changed',
      'person.reset_link_made',
      'person.second_factor_removed',
      'member.removed',
      'key.created',
      'key.revoked',
    ]);
    expect(JSON.stringify(entries)).not.toContain(reset);
    await server.stop();
  });

  test('say what is wrong in a sentence', async () => {
    expect(await fail(['people', 'reset', 'nobody@people.example'])).toBe(
      'Error: Nobody signs in with nobody@people.example. "people list" shows everybody who does.',
    );
    expect(await fail(['people', 'invite', 'no address'])).toContain('no address is not an email address');
    expect(await fail(['people', 'invite', 'a@b.example', '--role', 'king'])).toContain(
      'There is no role king.',
    );
    expect(await fail(['people', 'invite', 'a@b.example', '--workspace', 'none'])).toContain(
      'There is no workspace none.',
    );
  });
});

describe('the verbs about people, without a server', () => {
  beforeAll(async () => {
    await home.remove();
    home = await makeServerHome({}, { database: {} });
  });

  test('print links that lead to where the server will be', async () => {
    await (await home.start()).stop();
    const invite = ['people', 'invite', 'ada@people.example', '--workspace', 'home'];
    expect(await fail(invite)).toContain('Set POSTRIDER_PUBLIC_URL');
    expect(await run(invite, { POSTRIDER_HTTP_PORT: '8123' })).toMatch(
      /^http:\/\/127\.0\.0\.1:8123\/console\/invitation#/,
    );
    const link = await run(invite, { POSTRIDER_PUBLIC_URL: 'https://mail.example.test/' });
    expect(link).toMatch(/^https:\/\/mail\.example\.test\/console\/invitation#/);
    const server = await home.start();
    const body = { token: tokenOf(link), password: 'a long secret' };
    expect((await post(new ConsoleBrowser(server), '/invitations/accept', body)).body).toMatchObject({
      person: { email: 'ada@people.example' },
    });
    await server.stop();
  });
});
