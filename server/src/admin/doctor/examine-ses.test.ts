import { type LocalSes, startLocalSes } from '@postrider/testkit/servers/local-ses.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { examineSes, identitiesMax } from './examine-ses.ts';

let ses: LocalSes;
beforeAll(async () => {
  process.env.AWS_ACCESS_KEY_ID = 'test';
  process.env.AWS_SECRET_ACCESS_KEY = 'test';
  ses = await startLocalSes();
});
beforeEach(() => {
  ses.identities.clear();
  ses.requests.length = 0;
});
afterAll(() => ses.close());

const topic = 'arn:aws:sns:eu-west-1:123456789012:mail';
const examine = (
  hostnames: string[],
  { topicArns = [topic], transport = 'ses' as 'ses' | 'smtp', url = ses.url } = {},
) =>
  examineSes(
    {
      transport,
      ses: { region: 'eu-west-1', endpoint: url, configurationSet: null, topicArns, inboundBucket: null },
    },
    hostnames,
  );
const know = (name: string, isVerified: boolean) =>
  ses.identities.set(name, {
    name,
    selector: 'pr1',
    privateKey: undefined,
    mailFrom: undefined,
    configurationSet: undefined,
    isVerified,
  });

test('without a topic, bounces are not noticed', async () => {
  expect(await examine([], { topicArns: [] })).toMatchObject([
    { state: 'problem', remedy: expect.stringContaining('POSTRIDER_SES_TOPIC_ARNS') },
  ]);
  expect(await examine([])).toMatchObject([{ state: 'ok', text: expect.stringContaining(topic) }]);
});

test('a domain that SES does not know, or does not send for yet, is a problem', async () => {
  know('good.example', true);
  know('new.example', false);
  expect((await examine(['good.example', 'new.example', 'unknown.example'])).slice(1)).toMatchObject([
    { state: 'ok', text: 'sends for good.example' },
    {
      state: 'problem',
      text: expect.stringMatching(/^Amazon SES does not send for new\.example yet\. .*DKIM/),
    },
    { state: 'problem', remedy: 'Create the identity unknown.example in SES, in the region eu-west-1.' },
  ]);
});

test('SES is asked about some domains only, and not at all by a server that sends otherwise', async () => {
  expect(await examine(['a.example'], { transport: 'smtp' })).toEqual([]);
  expect(ses.requests).toEqual([]);
  const names = Array.from({ length: identitiesMax + 5 }, (_, at) => `d${at}.example`);
  expect(await examine(names)).toHaveLength(1 + identitiesMax);
  expect(ses.requests).toHaveLength(identitiesMax);
});

test('SES that cannot be asked is noted once', async () => {
  const gone = await startLocalSes();
  await gone.close();
  expect((await examine(['a.example', 'b.example'], { url: gone.url })).slice(1)).toMatchObject([
    { state: 'note', text: expect.stringMatching(/^a\.example was not looked up: .*could not be reached/) },
  ]);
});
