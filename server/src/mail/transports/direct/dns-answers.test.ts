import { describe, expect, it } from 'vitest';
import { createMailDns } from './dns-answers.ts';

const dnsWith = (records: unknown[]) =>
  createMailDns({
    resolve: async () => records as string[],
    nowMs: () => 0,
    scaleMs: (durationMs) => durationMs,
  });

describe('an answer with many records', () => {
  it('keeps the hundred preferred servers', async () => {
    const mx = Array.from({ length: 5_000 }, (_, index) => ({
      exchange: `mx${index}`,
      priority: 5_000 - index,
    }));
    const { records } = await dnsWith(mx).mx('example.test');
    expect(records).toHaveLength(100);
    expect(records[0]).toEqual({ exchange: 'mx4999', priority: 1 });
    expect(records.at(-1)).toEqual({ exchange: 'mx4900', priority: 100 });
  });

  it('keeps forty addresses', async () => {
    const addresses = Array.from({ length: 5_000 }, (_, index) => `192.0.2.${index % 250}`);
    const { records } = await dnsWith(addresses).addresses('example.test', 4);
    expect(records).toEqual(addresses.slice(0, 40));
  });

  it('keeps of text what announces a policy, so that several announcements remain several', async () => {
    const others = Array.from({ length: 1_000 }, () => ['v=spf1 -all', 'x'.repeat(200)]);
    const announced = ['v=STSv1; ', 'id=1;'];
    const one = await dnsWith([...others, announced]).stsTxt('_mta-sts.example.test');
    expect(one).toEqual({ records: ['v=STSv1; id=1;'], exists: true });
    const three = await dnsWith([announced, ...others, announced, announced]).stsTxt('_mta-sts.example.test');
    expect(three.records).toHaveLength(2);
    const long = await dnsWith([['v=STSv1; id=1;', ' '.repeat(60_000)]]).stsTxt('_mta-sts.example.test');
    expect(long.records).toEqual(['v=STSv1;']);
  });
});
