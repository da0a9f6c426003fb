/*
 * Interface 20: a key that a policy holds sets up no other way out of the server: no webhooks, no domains, no name on the mail of others.
 */
import type { PolicyIn } from '@postrider/contract';
import { catchApiError } from '@postrider/testkit/http/api-errors.ts';
import { signedIn } from '@postrider/testkit/http/console-browser.ts';
import {
  startTestServer,
  type TestServer,
  type TestWorkspace,
} from '@postrider/testkit/servers/test-server.ts';
import { startWebhookReceiver, type WebhookReceiver } from '@postrider/testkit/servers/webhook-receiver.ts';
import { Postrider } from 'postrider';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pickAdminDeps } from '../../../src/admin/command.ts';
import { policyCommands } from '../../../src/admin/policy.ts';
import { operator } from '../../../src/audit/append-audit.ts';
import type { KeyLimits } from '../../../src/keys/change-key.ts';
import { createKey } from '../../../src/keys/manage-keys.ts';
import { setPolicy } from '../../../src/policies/set-policy.ts';

let server: TestServer;
let receiver: WebhookReceiver;

beforeAll(async () => {
  [server, receiver] = await Promise.all([startTestServer(), startWebhookReceiver()]);
});
afterAll(() => Promise.all([server.stop(), receiver.close()]));

const events = ['message.received' as const];
const set = (
  owner: TestWorkspace,
  level: 'workspace' | 'inbox' | 'key',
  subjectId: string,
  lines: PolicyIn,
) => setPolicy(server.server.deps, { workspaceId: owner.id, level, subjectId }, lines, operator);
const keyOf = async (owner: TestWorkspace, limits: Partial<KeyLimits> = {}) => {
  const { id, key } = await createKey(server.server.deps, owner.name, 'agent', null, limits);
  return { id, client: new Postrider({ apiKey: key, baseURL: `${server.url}/v1`, maxRetries: 0 }) };
};

/** A webhook and a delivery that somebody else made. */
const things = async (owner: TestWorkspace) => {
  const hook = await owner.client.webhooks.create({ url: `${receiver.url}/owners`, events });
  return { hook, delivery: await owner.client.webhooks.test(hook.id) };
};

describe('Interface 20 Leash', () => {
  test.each<[string, PolicyIn, boolean]>([
    ['never', { send: 'never' }, true],
    ['approve', { send: 'approve' }, true],
    ['known', { recipients: 'known' }, true],
    ['a list', { recipients: ['customer.example'] }, true],
    [
      'caps alone',
      { per_hour: 1, per_day: 1, per_thread_hour: 1, per_recipient_day: 1, recipients_max: 1 },
      false,
    ],
  ])('with %s, webhooks can be set up: not at all, or as before', async (_name, lines, isHeld) => {
    for (const level of ['workspace', 'inbox', 'key'] as const) {
      const owner = await server.workspace();
      const inbox = await server.inbox(owner);
      const { hook, delivery } = await things(owner);
      const { id, client } = await keyOf(owner, level === 'inbox' ? { inboxIds: [inbox.id] } : {});
      const own = await client.webhooks.create({ url: `${receiver.url}/own`, events });
      const subject = { workspace: owner.id, inbox: inbox.id, key: id }[level];
      await set(owner, level, subject, lines);
      const posted = receiver.requests.length;
      const attempts = [
        // The name is not looked up: that would be a 400, and the name servers of the URL would have read it.
        () => client.webhooks.create({ url: `https://${'secret'.repeat(5)}.invalid/x`, events }),
        () => client.webhooks.create({ url: receiver.url, events }),
        () => client.webhooks.update(own.id, { url: `https://${'secret'.repeat(5)}.invalid/x` }),
        () => client.webhooks.update(own.id, { enabled: false }),
        () => client.webhooks.rotateSecret(own.id),
        () => client.webhooks.test(own.id),
        ...(level === 'inbox'
          ? []
          : [
              () => client.webhooks.update(hook.id, { url: receiver.url }),
              () => client.webhooks.test(hook.id),
              () => client.deliveries.redeliver(delivery.id),
            ]),
      ];
      if (isHeld) {
        for (const attempt of attempts)
          expect(await catchApiError(attempt(), 'sending_not_allowed')).toMatchObject({ at: level });
        expect(receiver.requests.length).toBe(posted);
        expect((await client.webhooks.list()).webhooks.map(({ url }) => url)).toContain(own.url);
      } else {
        await client.webhooks.test(own.id);
        await client.webhooks.rotateSecret(own.id);
        expect(receiver.requests.length).toBe(posted + 1);
      }
      await client.webhooks.delete(own.id);
    }
  });

  test('the policy of an inbox holds the keys that may use it, and no others', async () => {
    const owner = await server.workspace();
    const [careful, free] = [await server.inbox(owner), await server.inbox(owner)];
    const [limited, whole, none] = [
      await keyOf(owner, { inboxIds: [free.id] }),
      await keyOf(owner),
      await keyOf(owner, { inboxIds: [] }),
    ];
    await set(owner, 'inbox', careful.id, { send: 'approve' });
    await limited.client.webhooks.create({ url: receiver.url, events });
    await none.client.webhooks.create({ url: receiver.url, events });
    const refused = await catchApiError(
      whole.client.webhooks.create({ url: receiver.url, events }),
      'sending_not_allowed',
    );
    expect(refused).toMatchObject({ at: 'inbox' });
    const person = await signedIn(server, 'owner', owner);
    const gone = await person.request(`/v1/inboxes/${careful.id}`, { method: 'DELETE' });
    expect(gone.status, gone.text).toBe(204);
    await whole.client.webhooks.create({ url: receiver.url, events });
  });

  test('owners set up webhooks all the same, in the console', async () => {
    const owner = await server.workspace();
    await set(owner, 'workspace', owner.id, { send: 'never' });
    const person = await signedIn(server, 'owner', owner);
    const made = await person.request('/v1/webhooks', {
      method: 'POST',
      body: { url: receiver.url, events },
    });
    expect(made.status, made.text).toBe(201);
    const tested = await person.request(`/v1/webhooks/${made.body.id}/test`, { method: 'POST' });
    expect(tested.status, tested.text).toBe(200);
  });

  test('who sets a policy hears of the enabled webhooks of keys that it holds', async () => {
    const owner = await server.workspace();
    const inbox = await server.inbox(owner);
    const { id, client } = await keyOf(owner, { inboxIds: [inbox.id] });
    const own = await client.webhooks.create({ url: receiver.url, events });
    const other = await owner.client.webhooks.create({ url: `${receiver.url}/other`, events });
    const stopped = await client.webhooks.create({ url: receiver.url, events });
    await client.webhooks.update(stopped.id, { enabled: false });
    const person = await signedIn(server, 'owner', owner);
    const named = { id: own.id, url: own.url, key_id: id, key_name: 'agent' };
    const put = (level: string, subject: string, lines: PolicyIn) =>
      person.request(`/policies/${level}/${subject}`, { method: 'PUT', body: { lines } });
    expect((await put('key', id, { send: 'approve' })).body.held_webhooks).toEqual([named]);
    expect((await put('key', id, { per_hour: 5 })).body.held_webhooks).toEqual([]);
    expect((await put('workspace', owner.id, { send: 'approve' })).body.held_webhooks).toMatchObject([
      { id: own.id },
      { id: other.id },
    ]);
    await put('workspace', owner.id, {});
    const patched = await person.request(`/keys/${id}`, {
      method: 'PATCH',
      body: { policy: { recipients: [] } },
    });
    expect(patched.body.held_webhooks).toEqual([named]);
    const deps = pickAdminDeps(server.server.deps);
    const shown = await policyCommands['policy set'](deps, {
      inbox: inbox.address,
      lines: { send: 'never' },
    });
    expect(shown).toMatchObject({ send: 'never', held_webhooks: [{ id: own.id }, { id: other.id }] });
    expect(shown.warning).toContain('Keys that are not limited to inboxes can create another inbox');
  });

  test('a webhook that is made while a policy is set is refused or named', async () => {
    for (let round = 0; round < 3; round += 1) {
      const owner = await server.workspace();
      const making = Array.from({ length: 8 }, () =>
        owner.client.webhooks.create({ url: receiver.url, events }).catch(() => null),
      );
      const { heldWebhooks } = await set(owner, 'workspace', owner.id, { send: 'never' });
      await Promise.all(making);
      const { webhooks } = await owner.client.webhooks.list();
      expect(heldWebhooks.map(({ id }) => id).sort()).toEqual(webhooks.map(({ id }) => id).sort());
    }
  });

  test('a held key writes no words into DNS, and no name onto the mail of others', async () => {
    const owner = await server.workspace();
    const inbox = await owner.client.inboxes.create({ local_part: server.freshName(), display_name: 'Shop' });
    await set(owner, 'workspace', owner.id, { send: 'approve' });
    for (const attempt of [
      () => owner.client.domains.create({ hostname: 'words-of-the-agent.example.com' }),
      () => owner.client.domains.subdomain({ label: 'words-of-the-agent' }),
      () => owner.client.inboxes.update(inbox.id, { display_name: 'Words of the agent' }),
    ])
      expect(await catchApiError(attempt(), 'sending_not_allowed')).toMatchObject({ at: 'workspace' });
    expect(
      await owner.client.inboxes.update(inbox.id, { display_name: 'Shop', metadata: { a: 'b' } }),
    ).toMatchObject({
      display_name: 'Shop',
      metadata: { a: 'b' },
    });
    await set(owner, 'workspace', owner.id, {});
    await owner.client.inboxes.update(inbox.id, { display_name: 'Store' });
  });
});
