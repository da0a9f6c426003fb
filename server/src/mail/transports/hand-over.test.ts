import {
  copiesThatCount,
  makeBigMessage,
  makeJob,
  withTransport,
} from '@postrider/testkit/smtp/transport-run.ts';
import { describe, expect, it } from 'vitest';

const settings = { transferTimeoutMs: 200, dataBlockTimeoutMs: 60_000, commandTimeoutMs: 60_000 };

describe('a server that takes a message slowly', () => {
  it('is left when the time for the whole message is over, which is then deferred', () =>
    withTransport({ settings }, async ({ sink, transport }) => {
      sink.script({ at: 'content', afterBytes: 100_000, hang: true, times: 1 });
      const job = makeJob('bob@example.test', { raw: makeBigMessage(9_000_000) });
      await expect(transport.submit(job)).resolves.toMatchObject({
        kind: 'deferred',
        cause: 'relay',
        detail: expect.stringContaining('did not take the message within 1 s'),
      });
      expect(copiesThatCount(sink, job.recipient)).toEqual([]);
      await expect(transport.submit(makeJob('eve@example.test'))).resolves.toMatchObject({
        kind: 'accepted',
      });
    }));

  it('may take longer to answer for it', () =>
    withTransport({ settings: { ...settings, afterDotTimeoutMs: 800 } }, async ({ sink, transport }) => {
      sink.script({ at: 'dot', delayMs: 400, times: 1 }, { at: 'dot', hang: true, times: 1 });
      await expect(transport.submit(makeJob('bob@example.test'))).resolves.toMatchObject({
        kind: 'accepted',
      });
      await expect(transport.submit(makeJob('eve@example.test'))).resolves.toMatchObject({
        kind: 'unconfirmed',
        detail: expect.stringContaining('the final dot'),
      });
    }));
});
