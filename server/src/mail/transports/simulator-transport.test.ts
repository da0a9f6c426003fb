import { makeJob } from '@postrider/testkit/smtp/transport-run.ts';
import { afterAll, describe, expect, it } from 'vitest';
import { composeMail, type OutgoingMail } from '../compose/compose-mail.ts';
import { createMailParser } from '../parse/parse-pool.ts';
import type { ParsedMail } from '../parse/parsed-mail.ts';
import type { SmtpReply } from '../smtp/smtp-callbacks.ts';
import { createSandboxTransport } from './sandbox-transport.ts';
import { type Answer, createSimulatorTransport } from './simulator.ts';

const domain = 'simulator.here.test';
const taken: SmtpReply = { code: 250, enhanced: '2.0.0', text: 'Ok' };

const parser = createMailParser({ workers: 1 });
afterAll(() => parser.close());

const parse = async (raw: Buffer, envelopeFrom = 'agent@here.test'): Promise<ParsedMail> => {
  const reading = await parser.parse(raw, { envelopeFrom });
  return 'failed' in reading ? reading.mail : reading;
};

/** A simulator in front of a sandbox without inboxes, and the answers that it gave. */
function makeSimulator(reply: SmtpReply = taken) {
  const answers: Answer[] = [];
  const sandbox = createSandboxTransport({ isLocal: async () => false, deliverLocally: async () => taken });
  const transport = createSimulatorTransport(sandbox, domain, {
    parse,
    compose: composeMail,
    deliverLocally: async (answer) => {
      answers.push(answer);
      return reply;
    },
  });
  return { transport, answers };
}

const compose = (change: Partial<OutgoingMail> = {}) =>
  composeMail({
    from: { name: 'Agent', address: 'agent@here.test' },
    to: [`echo@${domain}`],
    subject: 'Hello',
    text: 'One\nTwo',
    messageId: '<original@here.test>',
    date: new Date('2026-03-01T12:00:00Z'),
    ...change,
  });

const outcomes: [string, number, object][] = [
  ['success', 1, { kind: 'accepted', final: true, detail: 'simulator: delivered' }],
  ['success+a', 1, { kind: 'accepted', final: true }],
  ['bounce', 1, { kind: 'rejected', scope: 'recipient', code: 550, enhanced: '5.1.1' }],
  ['bounce+a+b', 1, { kind: 'rejected', scope: 'recipient', code: 550, enhanced: '5.1.1' }],
  ['softbounce', 1, { kind: 'rejected', scope: 'recipient', isSoft: true, enhanced: '4.2.2' }],
  ['complaint', 1, { kind: 'accepted', final: true, complaintAfterMs: 2_000 }],
  ['reject', 1, { kind: 'rejected', scope: 'message', enhanced: '5.7.1' }],
  ['defer', 1, { kind: 'deferred', cause: 'recipient', retryAfterMs: 2_000 }],
  ['defer', 2, { kind: 'deferred', cause: 'recipient', retryAfterMs: 2_000 }],
  ['defer', 3, { kind: 'accepted', final: true }],
  ['nobody', 1, { kind: 'rejected', scope: 'recipient', code: 550, enhanced: '5.1.1' }],
  ['"bounce+a"', 1, { kind: 'rejected', scope: 'recipient', enhanced: '5.1.1' }],
];

describe('the simulator', () => {
  it.each(outcomes)('has for %s at attempt %i its outcome', async (local, attempt, outcome) => {
    const { transport, answers } = makeSimulator();
    const job = makeJob(`${local}@${domain}`, { attempt });
    await expect(transport.submit(job)).resolves.toMatchObject(outcome);
    expect(answers).toEqual([]);
  });

  it.each(['success', 'complaint', 'autoreply', 'echo'])(
    'delivers to %s nothing that may not be handed over',
    async (local) => {
      const { transport, answers } = makeSimulator();
      const onHandover = () => Promise.reject(new Error('paused'));
      const job = makeJob(`${local}@${domain}`, { raw: await compose(), onHandover });
      await expect(transport.submit(job)).rejects.toThrow('paused');
      expect(answers).toEqual([]);
    },
  );

  it('leaves all other recipients to the transport behind it', async () => {
    const { transport } = makeSimulator();
    for (const recipient of ['bounce@here.test', `bounce@sub.${domain}`, `bounce@x${domain}`]) {
      const sandboxed = { kind: 'accepted', detail: 'sandbox: not sent' };
      await expect(transport.submit(makeJob(recipient))).resolves.toMatchObject(sandboxed);
    }
    expect(transport.name).toBe('sandbox');
  });

  it('takes no more jobs once it is closed', async () => {
    const { transport } = makeSimulator();
    await transport.close();
    const job = makeJob(`bounce@${domain}`);
    await expect(transport.submit(job)).resolves.toMatchObject({ kind: 'deferred', cause: 'relay' });
  });
});

describe('an answer of the simulator', () => {
  it('quotes the message in its thread, as echo@', async () => {
    const { transport, answers } = makeSimulator();
    const raw = await compose({ references: ['<first@here.test>'] });
    const outcome = await transport.submit(makeJob(`echo+7@${domain}`, { raw }));
    expect(outcome).toMatchObject({ kind: 'accepted', final: true });
    expect(answers).toMatchObject([{ envelopeFrom: `echo+7@${domain}`, recipient: 'agent@here.test' }]);
    const answer = await parse(answers[0]!.raw, answers[0]!.envelopeFrom);
    expect(answer).toMatchObject({
      from: { address: `echo+7@${domain}` },
      to: [{ name: 'Agent', address: 'agent@here.test' }],
      subject: 'Re: Hello',
      inReplyTo: ['<original@here.test>'],
      references: ['<first@here.test>', '<original@here.test>'],
      extractedText: 'Your message arrived.',
      autoSubmitted: false,
      date: new Date('2026-03-01T12:00:00Z'),
    });
    expect(answer.text).toContain('agent@here.test wrote:\n> One\n> Two');
  });

  it('is automatic and from nobody, as autoreply@', async () => {
    const { transport, answers } = makeSimulator();
    await transport.submit(makeJob(`autoreply@${domain}`, { raw: await compose() }));
    expect(answers).toMatchObject([{ envelopeFrom: '', recipient: 'agent@here.test' }]);
    expect(answers[0]!.raw.toString()).toContain('Auto-Submitted: auto-replied\r\n');
    const answer = await parse(answers[0]!.raw, '');
    expect(answer).toMatchObject({ subject: 'Auto: Hello', inReplyTo: ['<original@here.test>'] });
  });

  it.each([
    ['is marked as automatic', { autoReplied: true }, 'agent@here.test'],
    ['belongs to a list', { headers: { 'List-Id': '<news.here.test>' } }, 'agent@here.test'],
    ['has the null sender', {}, ''],
  ])('is not given to a message that %s', async (_what, change, envelopeFrom) => {
    const { transport, answers } = makeSimulator();
    const raw = await compose(change);
    for (const local of ['echo', 'autoreply']) {
      const outcome = await transport.submit(makeJob(`${local}@${domain}`, { raw, envelopeFrom }));
      expect(outcome).toMatchObject({ kind: 'accepted', detail: expect.stringContaining('not answered') });
    }
    expect(answers).toEqual([]);
  });

  it('comes from the address as it was written, in UTF-8 too', async () => {
    const { transport, answers } = makeSimulator();
    const raw = await compose({ subject: `Grüße ${'ö'.repeat(900)}` });
    for (const local of ['echo+grüße', 'autoreply+grüße'])
      await transport.submit(makeJob(`${local}@${domain}`, { raw }));
    const read = await Promise.all(answers.map((answer) => parse(answer.raw)));
    expect(read.map(({ from, subject }) => [from?.address, subject.slice(0, 11)])).toEqual([
      [`echo+grüße@${domain}`, 'Re: Grüße ö'],
      [`autoreply+grüße@${domain}`, 'Auto: Grüße'],
    ]);
  });

  it('has the same bytes when it is given again, and others for another recipient or message', async () => {
    const { transport, answers } = makeSimulator();
    const raw = await compose();
    const other = await compose({ messageId: '<other@here.test>' });
    for (const job of [{ raw }, { raw }, { raw: other }])
      await transport.submit(makeJob(`echo@${domain}`, job));
    await transport.submit(makeJob(`echo+x@${domain}`, { raw }));
    const [first, again, ...others] = answers.map((answer) => answer.raw.toString());
    expect(again).toBe(first);
    expect(new Set([first, ...others]).size).toBe(3);
  });

  it('quotes 64 KiB at most, and a message without text with nothing', async () => {
    const { transport, answers } = makeSimulator();
    await transport.submit(
      makeJob(`echo@${domain}`, { raw: await compose({ text: 'word '.repeat(100_000) }) }),
    );
    await transport.submit(makeJob(`echo@${domain}`, { raw: await compose({ text: null }) }));
    expect(answers).toHaveLength(2);
    expect(answers[0]!.raw.length).toBeLessThan(100_000);
  });

  it('that cannot be taken now defers the message, and one that is refused does not', async () => {
    const away = makeSimulator({ code: 451, enhanced: '4.3.0', text: 'Local error' });
    const job = makeJob(`echo@${domain}`, { raw: await compose() });
    await expect(away.transport.submit(job)).resolves.toMatchObject({ kind: 'deferred', cause: 'relay' });
    const gone = makeSimulator({ code: 550, enhanced: '5.1.1', text: 'No such user here' });
    await expect(gone.transport.submit(job)).resolves.toMatchObject({ kind: 'accepted', final: true });
  });
});
