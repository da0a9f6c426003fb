import type { MailSink } from '@postrider/testkit/smtp/mail-sink.ts';
import { startSinkRow } from '@postrider/testkit/smtp/sink-row.ts';
import {
  endlessMs,
  makeJob,
  passSilence,
  patientTiming,
  waitUntil,
} from '@postrider/testkit/smtp/transport-run.ts';
import { describe, expect, it } from 'vitest';
import { Circuit } from '../../lib/admission/circuit.ts';
import { createFailoverTransport } from './combine-transports.ts';
import { parseRelay } from './relay.ts';
import { createSmtpTransport } from './smtp-transport.ts';
import type { Outcome, Transport } from './transport.ts';

const accepted = { kind: 'accepted' };

interface Run {
  sinks: MailSink[];
  transport: Transport;
  send(recipient: string): Promise<Outcome>;
  later(ms: number): void;
}

async function withRelays(count: number, test: (run: Run) => Promise<void>): Promise<void> {
  let nowMs = 0;
  const row = await startSinkRow(Array.from({ length: count }, () => ({})));
  const relays = row.addresses.map((address) => {
    const circuit = new Circuit({ firstMs: 30_000, mostMs: 300_000, nowMs: () => nowMs });
    const transport = createSmtpTransport({
      relay: parseRelay(`smtp://${address}:${row.port}?tls=never`),
      hostname: 'client.test',
      ...patientTiming,
      connectionsMax: 2,
      connectionsKept: 0,
      mayConnect: () => circuit.openMs === 0,
    });
    return { transport, circuit };
  });
  const transport = createFailoverTransport(relays);
  const later = (ms: number) => {
    nowMs += ms;
  };
  const endSilence = passSilence(row.sinks, endlessMs);
  try {
    const send = (recipient: string) => transport.submit(makeJob(recipient));
    await test({ sinks: row.sinks, transport, send, later });
    await transport.close();
    for (const sink of row.sinks)
      await waitUntil(() => sink.openConnections === 0, 'no connection to be left');
  } finally {
    endSilence();
    for (const sink of row.sinks) sink.cut();
    await transport.close();
    await row.close();
  }
}

const copies = (sinks: MailSink[]) => sinks.map(({ messages }) => messages.length);

describe('several relays', () => {
  it('are used in order: the first gets all mail as long as it works', () =>
    withRelays(2, async ({ sinks, send, transport }) => {
      for (let index = 0; index < 5; index++) await send(`user${index}@example.test`);
      expect(copies(sinks)).toEqual([5, 0]);
      const { ok, detail } = await transport.check();
      expect(ok).toBe(true);
      expect(detail).toMatch(
        /^Relay 1 of 2: 127\.0\.0\.2:\d+ is ready\. Relay 2 of 2: 127\.0\.0\.3:\d+ is ready\.$/,
      );
    }));

  it.each([
    { at: 'greeting' as const, reply: '554 5.7.1 No' },
    { at: 'greeting' as const, drop: true },
    { at: 'greeting' as const, hang: true },
    { at: 'mail' as const, reply: '451 4.3.0 Later' },
    { at: 'rcpt' as const, drop: true },
    { at: 'rcpt' as const, reply: '554 5.7.1 Relay access denied' },
  ])('replace each other within one attempt: %j', (step) =>
    withRelays(2, async ({ sinks, send }) => {
      sinks[0]?.script(step);
      await expect(send('bob@example.test')).resolves.toMatchObject(accepted);
      expect(copies(sinks)).toEqual([0, 1]);
    }),
  );

  it.each([
    [{ at: 'dot' as const, drop: true }, { kind: 'unconfirmed' }],
    [
      { at: 'data' as const, reply: '451 4.3.0 Later' },
      { kind: 'deferred', cause: 'recipient' },
    ],
    [{ at: 'dot' as const, reply: '421 4.3.0 Closing' }, { kind: 'deferred' }],
    [{ at: 'rcpt' as const, reply: '550 5.1.1 No such user' }, { kind: 'rejected' }],
    [
      { at: 'rcpt' as const, reply: '450 4.2.1 Later' },
      { kind: 'deferred', cause: 'recipient' },
    ],
  ])('never replace each other once one has answered for the message or may have it: %j', (step, outcome) =>
    withRelays(2, async ({ sinks, send }) => {
      sinks[0]?.script(step);
      await expect(send('bob@example.test')).resolves.toMatchObject(outcome);
      expect(sinks[1]?.connections).toBe(0);
    }),
  );

  it('rest after a failure, and what waits for a connection goes to the next', () =>
    withRelays(2, async ({ sinks, send, later }) => {
      sinks[0]?.script({ at: 'greeting', drop: true });
      const sendMany = (name: string) =>
        Promise.all(Array.from({ length: 20 }, (_, index) => send(`${name}${index}@example.test`)));
      for (const outcome of await sendMany('first')) expect(outcome).toMatchObject(accepted);
      // Those that were being opened when the first one failed.
      const tried = sinks[0]!.connections;
      expect(tried).toBeLessThanOrEqual(4);
      later(29_000);
      await sendMany('second');
      expect(sinks[0]?.connections).toBe(tried);
      later(2_000);
      await sendMany('third');
      expect(sinks[0]?.connections).toBe(tried + 1);
      sinks[0]?.clearScript();
      later(61_000);
      await send('bob@example.test');
      expect(copies(sinks)).toEqual([1, 60]);
    }));

  it('defer a message if each of them failed, and say which do not work', () =>
    withRelays(2, async ({ sinks, send, transport }) => {
      for (const sink of sinks) sink.script({ at: 'greeting', reply: '421 4.3.2 Closed' });
      await expect(send('bob@example.test')).resolves.toMatchObject({
        kind: 'deferred',
        cause: 'relay',
        code: 421,
      });
      await expect(send('eve@example.test')).resolves.toMatchObject({
        kind: 'deferred',
        cause: 'relay',
        detail: 'Each of the relays failed a moment ago.',
      });
      expect(sinks.map(({ connections }) => connections)).toEqual([1, 1]);
      await expect(transport.check()).resolves.toMatchObject({ ok: false });
    }));

  it.each([
    { at: 'rcpt' as const, hang: true },
    { at: 'rcpt' as const, drop: true },
    { at: 'data' as const, hang: true },
  ])('do not rest because one of them fails with one recipient: %j', (step) =>
    withRelays(2, async ({ sinks, send }) => {
      sinks[0]?.script({ ...step, recipient: 'bob@example.test' });
      await expect(send('bob@example.test')).resolves.toMatchObject(accepted);
      await expect(send('eve@example.test')).resolves.toMatchObject(accepted);
      expect(sinks.map((sink) => sink.copiesFor('eve@example.test').length)).toEqual([1, 0]);
    }),
  );

  it.each([
    { at: 'greeting' as const, hang: true },
    { at: 'ehlo' as const, drop: true },
    { at: 'mail' as const, reply: '530 5.7.0 Sign in first' },
  ])('rest after a failure that concerns all mail: %j', (step) =>
    withRelays(2, async ({ sinks, send }) => {
      sinks[0]?.script({ ...step, times: 1 });
      await send('bob@example.test');
      await send('eve@example.test');
      expect(copies(sinks)).toEqual([0, 2]);
    }),
  );

  it('do not rest because one of them refuses a sender', () =>
    withRelays(2, async ({ sinks, send }) => {
      sinks[0]?.script({ at: 'mail', reply: '451 4.7.1 Sender over quota', times: 1 });
      await send('bob@example.test');
      await send('eve@example.test');
      expect(copies(sinks)).toEqual([1, 1]);
    }));
});
