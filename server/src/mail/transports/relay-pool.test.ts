import { setTimeout as sleep } from 'node:timers/promises';
import {
  copiesThatCount,
  endlessMs,
  makeJob,
  waitUntil,
  withTransport,
} from '@postrider/testkit/smtp/transport-run.ts';
import { describe, expect, it } from 'vitest';

const recipients = Array.from({ length: 50 }, (_, index) => `user${index}@example.test`);

describe('connections to the relay', () => {
  it('carry fifty recipients over five connections, each once', () =>
    withTransport({ settings: { connectionsMax: 5 } }, async ({ sink, transport }) => {
      const outcomes = await Promise.all(recipients.map((recipient) => transport.submit(makeJob(recipient))));
      expect(outcomes.map(({ kind }) => kind)).toEqual(recipients.map(() => 'accepted'));
      expect(sink.connections).toBe(5);
      for (const recipient of recipients) expect(sink.copiesFor(recipient)).toHaveLength(1);
    }));

  it('are replaced after the number of messages that one may carry', () =>
    withTransport(
      { settings: { connectionsMax: 1, messagesPerConnectionMax: 10 } },
      async ({ sink, transport }) => {
        for (const recipient of recipients.slice(0, 25)) await transport.submit(makeJob(recipient));
        expect(sink.connections).toBe(3);
        expect(sink.messages).toHaveLength(25);
      },
    ));

  it('are closed with QUIT when nothing used them for a while', () =>
    withTransport({ settings: { idleMs: 1_000 }, silenceMs: 1_000 }, async ({ sink, transport }) => {
      await transport.submit(makeJob('bob@example.test'));
      expect(sink.openConnections).toBe(1);
      await sink.onSilence();
      await waitUntil(() => sink.openConnections === 0, 'the idle connection to close');
      expect(sink.commands.at(-1)).toBe('QUIT');
    }));

  it('that the relay closed while they were idle are not used again', () =>
    withTransport({}, async ({ sink, transport }) => {
      await transport.submit(makeJob('bob@example.test'));
      sink.cut();
      await sleep(20);
      await expect(transport.submit(makeJob('eve@example.test'))).resolves.toMatchObject({
        kind: 'accepted',
      });
      expect(sink.connections).toBe(2);
    }));
});

describe('a connection that turns out to be stale', () => {
  const stale = {
    'is dropped': { drop: true },
    'answers 421': { reply: '421 4.4.2 Idle too long', drop: true },
  };
  for (const [name, step] of Object.entries(stale))
    for (const at of ['mail', 'rcpt', 'data'] as const)
      it(`at ${at} (${name}) is replaced once, and the message goes out once`, () =>
        withTransport({ sink: { extensions: [] } }, async ({ sink, transport }) => {
          await transport.submit(makeJob('bob@example.test'));
          sink.script({ at, ...step, times: 1 });
          let handovers = 0;
          const onHandover = async () => {
            handovers += 1;
          };
          const outcome = await transport.submit(makeJob('eve@example.test', { onHandover }));
          expect(outcome).toMatchObject({ kind: 'accepted' });
          expect(handovers).toBe(1);
          expect(sink.connections).toBe(2);
          expect(sink.copiesFor('eve@example.test')).toHaveLength(1);
        }));

  it('is not replaced a second time', () =>
    withTransport({}, async ({ sink, transport }) => {
      await transport.submit(makeJob('bob@example.test'));
      sink.script({ at: 'mail', drop: true });
      const outcome = await transport.submit(makeJob('eve@example.test'));
      expect(outcome).toMatchObject({ kind: 'deferred', cause: 'relay' });
      expect(sink.connections).toBe(2);
    }));

  it('is not replaced once the message was handed over', () =>
    withTransport({}, async ({ sink, transport }) => {
      await transport.submit(makeJob('bob@example.test'));
      sink.script({ at: 'dot', drop: true });
      const outcome = await transport.submit(makeJob('eve@example.test'));
      expect(outcome).toMatchObject({ kind: 'unconfirmed' });
      expect(sink.copiesFor('eve@example.test')).toHaveLength(1);
    }));

  it('makes room at the limit by ending another unused one', () =>
    withTransport({ settings: { connectionsMax: 2 } }, async ({ sink, transport }) => {
      await Promise.all(['a@b.test', 'c@d.test'].map((recipient) => transport.submit(makeJob(recipient))));
      sink.script({ at: 'mail', drop: true, times: 1 });
      await expect(transport.submit(makeJob('eve@example.test'))).resolves.toMatchObject({
        kind: 'accepted',
      });
    }));
});

describe('calling an attempt off', () => {
  it('in the line for a connection leaves nothing behind', () =>
    withTransport({ settings: { connectionsMax: 1 } }, async ({ sink, transport }) => {
      sink.script({ at: 'dot', delayMs: 150, times: 1 });
      const first = transport.submit(makeJob('bob@example.test'));
      const controller = new AbortController();
      const second = transport.submit(makeJob('eve@example.test', { signal: controller.signal }));
      controller.abort();
      await expect(second).resolves.toMatchObject({ kind: 'deferred', cause: 'relay' });
      await expect(first).resolves.toMatchObject({ kind: 'accepted' });
      expect(sink.copiesFor('eve@example.test')).toHaveLength(0);
    }));

  it('before it began sends nothing', () =>
    withTransport({}, async ({ sink, transport }) => {
      const outcome = await transport.submit(makeJob('eve@example.test', { signal: AbortSignal.abort() }));
      expect(outcome).toMatchObject({ kind: 'deferred', cause: 'relay' });
      expect(sink.connections).toBe(0);
    }));

  for (const [at, kind] of [
    ['greeting', 'deferred'],
    ['rcpt', 'deferred'],
    ['dot', 'unconfirmed'],
  ] as const)
    it(`while the relay is silent at ${at} is ${kind}`, () =>
      withTransport({}, async ({ sink, transport }) => {
        sink.script({ at, hang: true, times: 1 });
        const controller = new AbortController();
        sink.onSilence = async () => controller.abort();
        const outcome = await transport.submit(makeJob('eve@example.test', { signal: controller.signal }));
        expect(outcome).toMatchObject({ kind });
        await expect(transport.submit(makeJob('bob@example.test'))).resolves.toMatchObject({
          kind: 'accepted',
        });
      }));
});

describe('closing the transport', () => {
  it('lets a message in flight finish, and turns away those in line and those that come later', () =>
    withTransport({ settings: { connectionsMax: 1 } }, async ({ sink, transport }) => {
      const answer = sink.hold();
      sink.script({ at: 'dot', delayMs: 1, times: 1 });
      const first = transport.submit(makeJob('bob@example.test'));
      const second = transport.submit(makeJob('eve@example.test'));
      await waitUntil(() => sink.messages.length === 1, 'the first message');
      const closed = transport.close();
      answer();
      await closed;
      await expect(first).resolves.toMatchObject({ kind: 'accepted' });
      await expect(second).resolves.toMatchObject({ kind: 'deferred', cause: 'relay' });
      const late = await transport.submit(makeJob('late@example.test'));
      expect(late).toMatchObject({ kind: 'deferred', cause: 'relay' });
      expect(sink.messages).toHaveLength(1);
    }));

  it('cuts what has not finished after the grace period, and says what may have happened', () =>
    withTransport({ settings: { closeGraceMs: 100 } }, async ({ sink, transport }) => {
      sink.script({ at: 'dot', recipient: 'bob@example.test', hang: true });
      sink.script({ at: 'rcpt', recipient: 'eve@example.test', hang: true });
      const outcomes = ['bob@example.test', 'eve@example.test'].map((to) => transport.submit(makeJob(to)));
      await waitUntil(() => sink.messages.length === 1 && sink.commands.length >= 7, 'both to be stuck');
      await transport.close();
      expect((await Promise.all(outcomes)).map(({ kind }) => kind)).toEqual(['unconfirmed', 'deferred']);
      await waitUntil(() => sink.openConnections === 0, 'all connections to close');
    }));

  it('leaves no socket of ours, whatever state the connections were in', async () => {
    const count = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;
    const before = count();
    await withTransport({ settings: { closeGraceMs: 50 } }, async ({ sink, transport }) => {
      await Promise.all(recipients.slice(0, 5).map((recipient) => transport.submit(makeJob(recipient))));
      sink.script({ at: 'mail', hang: true, times: 1 }, { at: 'dot', hang: true, times: 1 });
      const stuck = recipients.slice(5, 8).map((recipient) => transport.submit(makeJob(recipient)));
      await sleep(50);
      await transport.close();
      await Promise.all(stuck);
    });
    await waitUntil(() => count() <= before, 'the sockets to be gone');
  });
});

describe('a relay that misbehaves at random', () => {
  it('never gets two copies of a message, and every outcome is true', () =>
    withTransport({ settings: { connectionsMax: 5 }, silenceMs: endlessMs }, async (run) => {
      const { sink, transport } = run;
      const points = ['greeting', 'mail', 'rcpt', 'data', 'content', 'dot', 'dot'] as const;
      const faults = [
        { reply: '450 4.2.1 later' },
        { reply: '550 5.1.1 no' },
        { drop: true },
        { drop: true },
        { hang: true },
      ];
      // A fixed walk over points and faults, so that a failure can be repeated.
      for (let step = 0; step < 120; step += 1) {
        const at = points[(step * 5) % points.length]!;
        sink.script({ at, after: step % 3, times: 1, ...faults[(step * 7) % faults.length]! });
      }
      const jobs = Array.from({ length: 200 }, (_, index) => `random${index}@example.test`);
      await Promise.all(
        jobs.map(async (recipient) => {
          for (let tries = 0; tries < 200; tries += 1) {
            const before = copiesThatCount(sink, recipient).length;
            const { kind } = await transport.submit(makeJob(recipient));
            const copies = copiesThatCount(sink, recipient);
            if (kind === 'deferred' || kind === 'rejected') expect(copies).toHaveLength(before);
            if (kind === 'accepted') expect(copies.map(({ answer }) => answer?.slice(0, 3))).toEqual(['250']);
            if (kind === 'unconfirmed') expect(copies.length).toBeLessThanOrEqual(1);
            if (kind !== 'deferred') return;
          }
          throw new Error(`${recipient} never came to an end.`);
        }),
      );
      expect(jobs.filter((recipient) => copiesThatCount(sink, recipient).length > 1)).toEqual([]);
    }));
});
