import { setTimeout as sleep } from 'node:timers/promises';
import type { SinkPoint, SinkStep } from '@postrider/testkit/smtp/sink-script.ts';
import {
  copiesThatCount,
  endlessMs,
  makeBigMessage,
  makeJob,
  patientTiming,
  waitUntil,
  withTransport,
} from '@postrider/testkit/smtp/transport-run.ts';
import { describe, expect, it } from 'vitest';
import { createSmtpTransport } from './smtp-transport.ts';
import type { Outcome } from './transport.ts';

const nineMegabytes = makeBigMessage(9 * 1024 * 1024);
const awayNow = { kind: 'deferred', cause: 'relay' };
const laterPlease = { kind: 'deferred', cause: 'recipient' };
const notThisMailbox = { kind: 'rejected', scope: 'recipient' };
const notThisMessage = { kind: 'rejected', scope: 'message' };
const whoKnows = { kind: 'unconfirmed' };

interface Case {
  at: SinkPoint;
  big?: boolean;
  /** Whether the message was handed over, so that `onHandover` must have been called. */
  handed: boolean;
  /** Expected after 4xx, 5xx, a dropped connection, silence. */
  outcomes: [object, object, object, object];
}

const cases: Case[] = [
  { at: 'greeting', handed: false, outcomes: [awayNow, awayNow, awayNow, awayNow] },
  { at: 'ehlo', handed: false, outcomes: [awayNow, awayNow, awayNow, awayNow] },
  { at: 'mail', handed: false, outcomes: [awayNow, notThisMessage, awayNow, awayNow] },
  { at: 'rcpt', handed: false, outcomes: [laterPlease, notThisMailbox, awayNow, awayNow] },
  { at: 'data', handed: false, outcomes: [laterPlease, notThisMessage, awayNow, awayNow] },
  // A small message is out with its final dot before the peer has read a line of it.
  { at: 'content', handed: true, outcomes: [laterPlease, notThisMessage, whoKnows, whoKnows] },
  // Of a big one the dot cannot have gone while the peer has stopped reading.
  { at: 'content', big: true, handed: true, outcomes: [laterPlease, notThisMessage, awayNow, awayNow] },
  { at: 'dot', handed: true, outcomes: [laterPlease, notThisMessage, whoKnows, whoKnows] },
];

const faults: Omit<SinkStep, 'at'>[] = [
  { reply: '451 4.3.0 Try again later' },
  { reply: '554 5.0.0 No' },
  { drop: true },
  { hang: true },
];
const faultNames = ['4xx', '5xx', 'a dropped connection', 'silence'];

for (const extensions of [['PIPELINING', 'SMTPUTF8', '8BITMIME'], []]) {
  describe(`a relay ${extensions.length > 0 ? 'with' : 'without'} PIPELINING`, () => {
    for (const { at, big, handed, outcomes } of cases) {
      for (const [index, fault] of faults.entries()) {
        const where = `${at}${big ? ' of a big message' : ''}`;
        const expected = outcomes[index] as Partial<Outcome>;
        it(`answers ${where} with ${faultNames[index]}: ${Object.values(expected).join(', ')}`, () =>
          withTransport({ sink: { extensions }, silenceMs: endlessMs }, async ({ sink, transport }) => {
            const early = at === 'content' && fault.reply !== undefined ? { drop: true } : {};
            sink.script({
              at,
              ...fault,
              ...early,
              ...(at === 'content' ? { afterBytes: big ? 100_000 : 1 } : {}),
            });
            let handovers = 0;
            const job = makeJob('bob@example.test', {
              ...(big ? { raw: nineMegabytes } : {}),
              onHandover: async () => {
                handovers += 1;
              },
            });

            const outcome = await transport.submit(job);

            // A reset can swallow a reply that came while content was still going out.
            const replyMayBeLost = big === true && fault.reply !== undefined && outcome.kind === 'deferred';
            expect(outcome).toMatchObject(replyMayBeLost ? { kind: 'deferred' } : expected);
            expect(handovers).toBe(handed ? 1 : 0);
            expect(copiesThatCount(sink, job.recipient).length).toBeLessThanOrEqual(at === 'dot' ? 1 : 0);

            sink.clearScript();
            await expect(transport.submit(makeJob('next@example.test'))).resolves.toMatchObject({
              kind: 'accepted',
            });
            expect(sink.copiesFor('next@example.test')).toHaveLength(1);
          }));
      }
    }
  });
}

describe('the outcome of an accepted message', () => {
  it('is sent, with the id of the relay and the bytes as they were composed', () =>
    withTransport({}, async ({ sink, transport }) => {
      const job = makeJob('bob@example.test');
      await expect(transport.submit(job)).resolves.toEqual({
        kind: 'accepted',
        providerMessageId: 'SINK',
        detail: '250 2.0.0 Ok: queued as SINK',
        final: false,
      });
      expect(sink.messages).toHaveLength(1);
      expect(sink.messages[0]).toMatchObject({ from: 'bounces@sender.test', recipients: [job.recipient] });
      expect(sink.messages[0]?.raw.equals(job.raw)).toBe(true);
    }));

  it('keeps every byte of 9 MB with dots at the start of its lines', () =>
    withTransport({}, async ({ sink, transport }) => {
      await transport.submit(makeJob('bob@example.test', { raw: nineMegabytes }));
      expect(sink.messages[0]?.raw.equals(nineMegabytes)).toBe(true);
    }));

  it('is waited for after the dot longer than for any command', () =>
    withTransport(
      { settings: { commandTimeoutMs: 100_000 }, silenceMs: 200_000 },
      async ({ sink, transport }) => {
        sink.script({ at: 'dot', delayMs: 1 });
        await expect(transport.submit(makeJob('bob@example.test'))).resolves.toMatchObject({
          kind: 'accepted',
        });
      },
    ));

  it('survives answers that come byte by byte', () =>
    withTransport({}, async ({ sink, transport }) => {
      for (const at of ['greeting', 'mail', 'rcpt', 'data', 'dot'] as const) sink.script({ at, dripMs: 2 });
      await expect(transport.submit(makeJob('bob@example.test'))).resolves.toMatchObject({
        kind: 'accepted',
      });
    }));
});

describe('a refused recipient', () => {
  it('is rejected even when the peer hangs up before it answers DATA', () =>
    withTransport({}, async ({ sink, transport }) => {
      sink.script({ at: 'rcpt', reply: '550 5.1.1 No such user', drop: true });
      const outcome = await transport.submit(makeJob('bob@example.test'));
      expect(outcome).toMatchObject({ ...notThisMailbox, code: 550, enhanced: '5.1.1' });
    }));

  it('leaves the connection to the next recipient', () =>
    withTransport({ settings: { connectionsMax: 1 } }, async ({ sink, transport }) => {
      sink.script({ at: 'rcpt', recipient: 'bob@example.test', reply: '550 5.1.1 No such user' });
      await transport.submit(makeJob('bob@example.test'));
      await waitUntil(() => sink.commands.includes('RSET'), 'RSET');
      await expect(transport.submit(makeJob('eve@example.test'))).resolves.toMatchObject({
        kind: 'accepted',
      });
      expect(sink.connections).toBe(1);
    }));

  it('is the message when it is larger than the relay takes', () =>
    withTransport({ sink: { extensions: ['SIZE 1000'] } }, async ({ sink, transport }) => {
      const outcome = await transport.submit(makeJob('bob@example.test', { raw: makeBigMessage(2_000) }));
      expect(outcome).toMatchObject({ ...notThisMessage, code: 552, enhanced: '5.3.4' });
      expect(sink.commands.some((line) => line.startsWith('MAIL'))).toBe(false);
    }));

  it('is the message when its address is UTF-8 and the relay takes only ASCII', async () => {
    const job = makeJob('jürgen@xn--bcher-kva.test');
    await withTransport({ sink: { extensions: [] } }, async ({ transport }) => {
      await expect(transport.submit(job)).resolves.toMatchObject({ ...notThisMessage, enhanced: '5.6.7' });
    });
    await withTransport({}, async ({ sink, transport }) => {
      await expect(transport.submit(job)).resolves.toMatchObject({ kind: 'accepted' });
      expect(sink.messages[0]?.mailParameters).toContain('SMTPUTF8');
    });
  });

  it('never reaches the wire when an address could end the command', () =>
    withTransport({}, async ({ sink, transport }) => {
      for (const recipient of ['a@b.test>\r\nRCPT TO:<c@d.test', 'a@b.test\0', '', 'a<b@c.test'])
        await expect(transport.submit(makeJob(recipient))).resolves.toMatchObject(notThisMailbox);
      const job = makeJob('a@b.test', { returnPath: 'x@y.test>\r\nDATA' });
      await expect(transport.submit(job)).resolves.toMatchObject(notThisMessage);
      expect(sink.connections).toBe(0);
    }));
});

describe('an answer to the final dot that makes no sense', () => {
  for (const reply of ['354 Go on', '199 Hm', 'what?'])
    it(`is unconfirmed: ${reply}`, () =>
      withTransport({}, async ({ sink, transport }) => {
        sink.script({ at: 'dot', reply, drop: true });
        await expect(transport.submit(makeJob('bob@example.test'))).resolves.toMatchObject(whoKnows);
      }));

  it('is a refusal when the connection ended before its line did', () =>
    withTransport({}, async ({ sink, transport }) => {
      sink.script({ at: 'dot', reply: '554 5.7.1 Spam', unterminated: true, drop: true });
      await expect(transport.submit(makeJob('bob@example.test'))).resolves.toMatchObject(notThisMessage);
    }));

  it('is unconfirmed when an acceptance breaks off', () =>
    withTransport({}, async ({ sink, transport }) => {
      sink.script({ at: 'dot', reply: '250 2.0.0 Ok', unterminated: true, drop: true });
      await expect(transport.submit(makeJob('bob@example.test'))).resolves.toMatchObject(whoKnows);
    }));

  it('is no acceptance when it comes before the message is whole', () =>
    withTransport({ silenceMs: endlessMs }, async ({ sink, transport }) => {
      sink.script({ at: 'content', afterBytes: 100_000, reply: '250 2.0.0 Ok', hang: true });
      const job = makeJob('bob@example.test', { raw: nineMegabytes });
      await expect(transport.submit(job)).resolves.toMatchObject(awayNow);
    }));
});

describe('onHandover', () => {
  it('is awaited after 354 and before the first byte of content', () =>
    withTransport({}, async ({ sink, transport }) => {
      let handOver = () => {};
      const asked = new Promise<void>((resolve) => {
        handOver = resolve;
      });
      const outcome = transport.submit(makeJob('bob@example.test', { onHandover: () => asked }));
      await waitUntil(() => sink.commands.includes('DATA'), 'DATA');
      await sleep(50);
      expect(sink.contentBytes).toBe(0);
      handOver();
      await expect(outcome).resolves.toMatchObject({ kind: 'accepted' });
    }));

  it('stops everything when it rejects: no byte goes out and submit rejects with the same error', () =>
    withTransport({}, async ({ sink, transport }) => {
      const failure = new Error('database away');
      const job = makeJob('bob@example.test', { onHandover: () => Promise.reject(failure) });
      await expect(transport.submit(job)).rejects.toBe(failure);
      await expect(transport.submit(makeJob('eve@example.test'))).resolves.toMatchObject({
        kind: 'accepted',
      });
      expect(sink.copiesFor('bob@example.test')).toHaveLength(0);
    }));

  it('has ended before a connection lost meanwhile becomes an outcome', () =>
    withTransport({}, async ({ sink, transport }) => {
      let ended = false;
      const onHandover = async () => {
        sink.cut();
        await sleep(100);
        ended = true;
      };
      const outcome = await transport.submit(makeJob('bob@example.test', { onHandover }));
      expect(outcome).toMatchObject(awayNow);
      expect(ended).toBe(true);
      expect(sink.contentBytes).toBe(0);
    }));

  it('that takes too long ends the attempt with nothing sent', () =>
    withTransport({ silenceMs: endlessMs }, async ({ sink, transport }) => {
      const onHandover = () => sink.onSilence();
      await expect(transport.submit(makeJob('bob@example.test', { onHandover }))).resolves.toMatchObject(
        awayNow,
      );
      expect(sink.copiesFor('bob@example.test')).toHaveLength(0);
    }));
});

describe('a relay that is not there', () => {
  it('defers, and the check says why', async () => {
    const relay = { host: '127.0.0.1', port: 1, tls: 'never' as const, verifyCertificate: false, auth: null };
    const transport = createSmtpTransport({ relay, hostname: 'client.test', ...patientTiming });
    await expect(transport.submit(makeJob('bob@example.test'))).resolves.toMatchObject({
      ...awayNow,
      detail: expect.stringContaining('ECONNREFUSED'),
    });
    await expect(transport.check()).resolves.toMatchObject({
      ok: false,
      detail: expect.stringContaining('127.0.0.1'),
    });
    await transport.close();
  });
});
