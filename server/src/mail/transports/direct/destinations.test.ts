import { withDirect } from '@postrider/testkit/smtp/direct-run.ts';
import { deadAddress } from '@postrider/testkit/smtp/sink-row.ts';
import { endlessMs, waitUntil } from '@postrider/testkit/smtp/transport-run.ts';
import { describe, expect, it } from 'vitest';

const users = (domain: string, count: number) =>
  Array.from({ length: count }, (_, index) => `user${index}@${domain}`);

describe('a destination that fails', () => {
  it('is not connected to again for half a minute, then twice as long, and works again at once', async () => {
    let nowMs = 0;
    await withDirect({ settings: { nowMs: () => nowMs } }, async ({ sinks, send, point }) => {
      point('example.test', 0);
      sinks[0]?.script({ at: 'greeting', reply: '421 4.3.2 Away' });
      const detail = expect.stringContaining('421 4.3.2 Away');
      const sendMany = async () => {
        const outcomes = await Promise.all(users('example.test', 30).map((user) => send(user)));
        for (const outcome of outcomes)
          expect(outcome).toMatchObject({ kind: 'deferred', code: 421, detail });
      };
      await sendMany();
      // A new destination gets two connections.
      expect(sinks[0]?.connections).toBe(2);
      nowMs += 29_000;
      await sendMany();
      expect(sinks[0]?.connections).toBe(2);
      nowMs += 2_000;
      // One message tries it again, and the others do not wait for that.
      await sendMany();
      expect(sinks[0]?.connections).toBe(3);
      nowMs += 59_000;
      await sendMany();
      expect(sinks[0]?.connections).toBe(3);
      nowMs += 2_000;
      sinks[0]?.clearScript();
      await expect(send('bob@example.test')).resolves.toMatchObject({ kind: 'accepted' });
      const outcomes = await Promise.all(users('example.test', 30).map((user) => send(user)));
      expect(outcomes.every(({ kind }) => kind === 'accepted')).toBe(true);
    });
  });

  it('takes nothing from others, even if a hundred of them hang', () =>
    withDirect(
      {
        settings: { socketsMax: 20, unprovenSocketsMax: 10 },
      },
      async ({ dns, row, sinks, send, point }) => {
        point('healthy.test', 1);
        await send('first@healthy.test');
        sinks[0]?.script({ at: 'greeting', hang: true });
        // Each name is a destination of its own.
        const hanging = Array.from({ length: 100 }, (_, index) => `hang${index}.test`);
        for (const domain of hanging) dns.set(domain, 'A', [row.addresses[0]!]);
        const stuck = hanging.map((domain) => send(`bob@${domain}`));
        let ended = 0;
        for (const one of stuck) void one.then(() => ended++);
        await waitUntil(() => sinks[0]!.connections === 10, 'the hanging ones to take what they may have');
        const outcomes = await Promise.all(users('healthy.test', 50).map((user) => send(user)));
        expect(outcomes.every(({ kind }) => kind === 'accepted')).toBe(true);
        expect(ended).toBe(0);
        expect(sinks[0]?.connections).toBe(10);
        sinks[0]?.cut();
        sinks[0]?.clearScript();
        await Promise.all(stuck);
      },
    ));

  it('lets no more than a number of messages wait for it', () =>
    withDirect({ settings: { waitingMax: 3 }, silenceMs: endlessMs }, async ({ sinks, send, point }) => {
      point('example.test', 0);
      sinks[0]?.script({ at: 'greeting', hang: true });
      const outcomes = await Promise.all(users('example.test', 10).map((user) => send(user)));
      const refused = outcomes.filter(
        (outcome) => 'detail' in outcome && outcome.detail?.startsWith('3 messages wait'),
      );
      expect(refused).toHaveLength(5);
      expect(refused[0]).toMatchObject({ kind: 'deferred', cause: 'relay' });
    }));
});

describe('connections', () => {
  it('to one provider are shared by its domains, five at most', () =>
    withDirect({ sinks: [{}] }, async ({ sinks, send, point }) => {
      point('one.test', 0);
      point('two.test', 0);
      await send('first@one.test');
      sinks[0]?.script({ at: 'rcpt', delayMs: 20 });
      await Promise.all([...users('one.test', 40), ...users('two.test', 40)].map((user) => send(user)));
      expect(sinks[0]?.messages).toHaveLength(81);
      expect(sinks[0]?.connections).toBe(5);
    }));

  it('to one provider stay five although it refuses a domain that others say is its own', () =>
    withDirect({ sinks: [{}] }, async ({ sinks, send, point }) => {
      point('one.test', 0);
      point('claimed.test', 0);
      await send('first@one.test');
      const bob = 'bob@claimed.test';
      sinks[0]?.script({ at: 'rcpt', recipient: bob, reply: '554 5.7.1 Relay access denied' });
      await expect(send(bob)).resolves.toMatchObject({ kind: 'deferred', cause: 'recipient', code: 554 });
      sinks[0]?.script({ at: 'rcpt', delayMs: 20 });
      await Promise.all(users('one.test', 40).map((user) => send(user)));
      expect(sinks[0]?.connections).toBe(5);
    }));

  it('that were idle are closed, after a while and if there are many', () =>
    withDirect({ settings: { idleMs: 100, idleSocketsMax: 3 } }, async ({ dns, row, sinks, send }) => {
      const domains = Array.from({ length: 10 }, (_, index) => `d${index}.test`);
      for (const domain of domains) dns.set(domain, 'A', [row.addresses[0]!]);
      for (const domain of domains) await send(`bob@${domain}`);
      expect(sinks[0]?.messages).toHaveLength(10);
      await waitUntil(() => sinks[0]!.openConnections <= 3, 'idle connections to be few');
      await waitUntil(() => sinks[0]!.openConnections === 0, 'idle connections to close');
    }));

  it('that are idle make room for other destinations', () =>
    withDirect({ settings: { socketsMax: 2, unprovenSocketsMax: 2 } }, async ({ dns, row, sinks, send }) => {
      for (const index of [0, 1, 2, 3, 4]) dns.set(`d${index}.test`, 'A', [row.addresses[0]!]);
      for (const index of [0, 1, 2, 3, 4])
        await expect(send(`bob@d${index}.test`)).resolves.toMatchObject({ kind: 'accepted' });
      expect(sinks[0]?.openConnections).toBeLessThanOrEqual(2);
    }));

  it('that went stale are replaced once, and the message goes out once', () =>
    withDirect({}, async ({ sinks, send, point }) => {
      point('example.test', 0, 1);
      await send('first@example.test');
      sinks[0]?.script({ at: 'mail', drop: true, times: 1 });
      await expect(send('second@example.test')).resolves.toMatchObject({ kind: 'accepted' });
      expect(sinks.map(({ messages }) => messages.length)).toEqual([2, 0]);
    }));

  it('end with the transport, and what waits is deferred by this server', () =>
    withDirect({}, async ({ sinks, send, point, transport }) => {
      point('example.test', 0);
      point('dead.test', deadAddress);
      sinks[0]?.script({ at: 'rcpt', hang: true });
      const waiting = users('example.test', 5).map((user) => send(user));
      await waitUntil(
        () => sinks[0]!.commands.some((line) => line.startsWith('RCPT')),
        'a message under way',
      );
      await transport.close(0);
      for (const outcome of await Promise.all(waiting))
        expect(outcome).toMatchObject({ kind: 'deferred', cause: 'relay' });
      await expect(send('late@example.test')).resolves.toMatchObject({ kind: 'deferred', cause: 'relay' });
    }));
});
