import { makeJob } from '@postrider/testkit/smtp/transport-run.ts';
import { describe, expect, it } from 'vitest';
import type { SmtpReply } from '../smtp/smtp-callbacks.ts';
import { createSandboxTransport } from './sandbox-transport.ts';

/** A sandbox whose only inbox answers as told, and what was delivered to it. */
function makeSandbox(answer: SmtpReply = { code: 250, enhanced: '2.0.0', text: 'Ok' }) {
  const delivered: string[] = [];
  const transport = createSandboxTransport({
    isLocal: async (address) => address === 'inbox@here.test',
    deliverLocally: async ({ recipient, envelopeFrom }) => {
      delivered.push(`${envelopeFrom} ${recipient}`);
      return answer;
    },
  });
  return { transport, delivered };
}

describe('the sandbox', () => {
  it('takes mail to the outside as a relay does, says so, and sends it nowhere', async () => {
    const { transport, delivered } = makeSandbox();
    await expect(transport.submit(makeJob('bob@example.test'))).resolves.toEqual({
      kind: 'accepted',
      providerMessageId: expect.stringMatching(/^sandbox-/),
      detail: 'sandbox: not sent',
      final: false,
      isSandboxed: true,
    });
    expect(delivered).toEqual([]);
  });

  it('really delivers to an inbox of this server', async () => {
    const { transport, delivered } = makeSandbox();
    const outcome = await transport.submit(makeJob('inbox@here.test'));
    expect(outcome).toMatchObject({ kind: 'accepted', final: true, detail: '250 2.0.0 Ok' });
    expect(delivered).toEqual(['agent@sender.test inbox@here.test']);
  });

  const refusals: [number, string, object][] = [
    [452, '4.2.2', { kind: 'deferred', cause: 'recipient' }],
    [451, '4.3.0', { kind: 'deferred', cause: 'recipient' }],
    [421, '4.3.2', { kind: 'deferred', cause: 'relay' }],
    [550, '5.1.1', { kind: 'rejected', scope: 'recipient' }],
    [550, '5.7.1', { kind: 'rejected', scope: 'message' }],
    [552, '5.3.4', { kind: 'rejected', scope: 'message' }],
  ];
  for (const [code, enhanced, outcome] of refusals)
    it(`passes on ${code} ${enhanced} of the inbound path as ${Object.values(outcome).join(', ')}`, async () => {
      const { transport } = makeSandbox({ code, enhanced, text: 'No' });
      const expected = { ...outcome, code, enhanced, detail: `${code} ${enhanced} No` };
      await expect(transport.submit(makeJob('inbox@here.test'))).resolves.toEqual(expected);
    });

  it('announces the handover of mail to the outside, and reports nothing when that fails', async () => {
    const { transport } = makeSandbox();
    const onHandover = () => Promise.reject(new Error('paused'));
    await expect(transport.submit(makeJob('bob@example.test', { onHandover }))).rejects.toThrow('paused');
  });

  it('announces the handover before it delivers, and delivers nothing when that fails', async () => {
    const { transport, delivered } = makeSandbox();
    const onHandover = async () => {
      delivered.push('handover');
    };
    await transport.submit(makeJob('inbox@here.test', { onHandover }));
    expect(delivered).toEqual(['handover', 'agent@sender.test inbox@here.test']);

    const failing = makeJob('inbox@here.test', {
      onHandover: () => Promise.reject(new Error('database away')),
    });
    await expect(transport.submit(failing)).rejects.toThrow('database away');
    expect(delivered).toHaveLength(2);
  });

  it('takes nothing more once it is closed, and waits for what it took', async () => {
    const { transport, delivered } = makeSandbox();
    const taken = transport.submit(makeJob('inbox@here.test'));
    await transport.close();
    expect(delivered).toHaveLength(1);
    await expect(taken).resolves.toMatchObject({ kind: 'accepted' });
    await expect(transport.submit(makeJob('inbox@here.test'))).resolves.toMatchObject({ kind: 'deferred' });
  });
});
