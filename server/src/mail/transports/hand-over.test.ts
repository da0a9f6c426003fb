import {
  copiesThatCount,
  makeBigMessage,
  makeJob,
  waitUntil,
  withTransport,
} from '@postrider/testkit/smtp/transport-run.ts';
import { describe, expect, it } from 'vitest';

describe('a server that takes a message slowly', () => {
  it('is left when the time for the whole message is over, which is then deferred', () =>
    withTransport(
      { settings: { transferTimeoutMs: 20_000 }, silenceMs: 200_000 },
      async ({ sink, transport }) => {
        sink.script({ at: 'content', afterBytes: 100_000, hang: true, times: 1 });
        const job = makeJob('bob@example.test', { raw: makeBigMessage(9_000_000) });
        await expect(transport.submit(job)).resolves.toMatchObject({
          kind: 'deferred',
          cause: 'relay',
          detail: expect.stringContaining('did not accept the message within 39 s'),
        });
        expect(copiesThatCount(sink, job.recipient)).toEqual([]);
        await expect(transport.submit(makeJob('eve@example.test'))).resolves.toMatchObject({
          kind: 'accepted',
        });
      },
    ));

  it('may take longer to answer for it', () =>
    withTransport(
      { settings: { transferTimeoutMs: 20_000 }, silenceMs: 200_000 },
      async ({ sink, transport }) => {
        sink.script({ at: 'dot', delayMs: 1, times: 1 }, { at: 'dot', hang: true, times: 1 });
        await expect(transport.submit(makeJob('bob@example.test'))).resolves.toMatchObject({
          kind: 'accepted',
        });
        const second = transport.submit(makeJob('eve@example.test'));
        await waitUntil(() => sink.messages.length === 2, 'the second final dot');
        await sink.onSilence();
        await expect(second).resolves.toMatchObject({
          kind: 'unconfirmed',
          detail: expect.stringContaining('the final dot'),
        });
      },
    ));
});
