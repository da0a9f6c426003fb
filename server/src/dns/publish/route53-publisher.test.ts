import { type Route53Server, startRoute53Server } from '@postrider/testkit/dns/route53-server.ts';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createPublisher } from './create-publisher.ts';
import { PublishError } from './publish-records.ts';
import { createRoute53Publisher } from './route53-publisher.ts';

const hostedZoneId = 'Z0123456789ABC';
let server: Route53Server;

beforeEach(async () => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIAEXAMPLE');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'very-secret');
  vi.stubEnv('AWS_MAX_ATTEMPTS', '1');
  server = await startRoute53Server(hostedZoneId, 'example.test');
});

afterEach(() => server.close());

const publisher = (more: { hostedZoneId?: string; timeoutMs?: number } = {}) =>
  createRoute53Publisher({ hostedZoneId, endpoint: server.url, timeoutMs: 300_000, ...more });
const txt = (name: string, ...values: string[]) => ({
  name,
  type: 'TXT' as const,
  ttl: 300,
  values: values.map((value) => ({ value, priority: null })),
});

const failureMessage = async (failing: Promise<unknown>): Promise<string> => {
  const error = await failing.then(
    () => new Error('It succeeded.'),
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(PublishError);
  expect((error as Error).message).not.toContain('very-secret');
  return (error as Error).message;
};

describe('publishing to Route 53', () => {
  test('writes all changes in one request, in the form that Route 53 wants', async () => {
    await publisher().publish([
      txt('k._domainkey.example.test', `p=${'A'.repeat(300)}`),
      txt('Example.test.', 'v=spf1 -all', 'say "hi" \\ ü'),
      { name: 'example.test', type: 'MX', ttl: 60, values: [{ value: 'mx.mail.test', priority: 10 }] },
      { name: '*.example.test', type: 'CNAME', ttl: 60, values: [{ value: 'a.test', priority: null }] },
    ]);
    expect(server.recordSets).toEqual([
      {
        name: 'k._domainkey.example.test.',
        type: 'TXT',
        ttl: 300,
        values: [`"p=${'A'.repeat(253)}" "${'A'.repeat(47)}"`],
      },
      {
        name: 'example.test.',
        type: 'TXT',
        ttl: 300,
        values: ['"v=spf1 -all"', '"say \\042hi\\042 \\134 \\303\\274"'],
      },
      { name: 'example.test.', type: 'MX', ttl: 60, values: ['10 mx.mail.test'] },
      { name: '\\052.example.test.', type: 'CNAME', ttl: 60, values: ['a.test'] },
    ]);
    expect(server.requests.filter((request) => request.startsWith('POST'))).toHaveLength(1);
  });

  test('replaces records, may be repeated, and removes what is there with its present values', async () => {
    const route53 = publisher();
    await route53.publish([txt('a.example.test', 'old'), txt('*.example.test', 'wild')]);
    for (let time = 0; time < 2; time += 1) await route53.publish([txt('a.example.test', 'new', 'newer')]);
    expect(server.recordSets[0]?.values).toEqual(['"new"', '"newer"']);
    await route53.publish([
      { name: 'a.example.test', type: 'TXT', ttl: 1, values: null },
      { name: '*.example.test', type: 'TXT', ttl: 1, values: [] },
    ]);
    expect(server.recordSets).toEqual([]);
  });

  test('removes nothing where nothing is, not even the next records in order', async () => {
    const route53 = publisher();
    await route53.publish([txt('b.example.test', 'stays')]);
    await route53.publish([{ name: 'a.example.test', type: 'TXT', ttl: 1, values: null }]);
    expect(server.recordSets).toHaveLength(1);
  });

  test('tells the zone', async () => {
    expect(await publisher().check()).toEqual({ zone: 'example.test' });
  });
});

describe('a failure of Route 53 says what is wrong', () => {
  test.each([
    ['AccessDenied', 403, 'refuses the credentials'],
    ['InvalidClientTokenId', 403, 'does not know the credentials'],
    ['Throttling', 400, 'too many requests'],
    ['SomethingNew', 400, 'refuses the change: The request failed'],
  ])('%s', async (code, status, words) => {
    server.fail(code, status);
    expect(await failureMessage(publisher().check())).toContain(words);
  });

  test('of a hosted zone that does not exist, and of a name outside the zone', async () => {
    expect(await failureMessage(publisher({ hostedZoneId: 'ZNONE' }).check())).toBe(
      'Route 53 has no such hosted zone. Hosted zone ZNONE.',
    );
    const outside = publisher().publish([txt('notexample.test', 'x')]);
    expect(await failureMessage(outside)).toBe('notexample.test is not in the zone example.test.');
  });

  test('of a batch with a change that it refuses: none is applied', async () => {
    const route53 = publisher();
    await route53.publish([txt('a.example.test', 'one')]);
    const alias = {
      name: 'a.example.test',
      type: 'CNAME' as const,
      ttl: 1,
      values: [{ value: 'b.test', priority: null }],
    };
    const message = await failureMessage(route53.publish([txt('new.example.test', 'x'), alias]));
    expect(message).toContain('conflicts with other records');
    expect(server.recordSets.map(({ name }) => name)).toEqual(['a.example.test.']);
  });

  test('of a service that is gone', async () => {
    await server.close();
    expect(await failureMessage(publisher().check())).toContain('ECONNREFUSED');
    server = await startRoute53Server(hostedZoneId, 'example.test');
  });
});

test('a publisher is named by the setting, without its secret', () => {
  const secret = Buffer.alloc(32, 7);
  const names = [
    createPublisher({ kind: 'route53', hostedZoneId: 'Z1' }),
    createPublisher({ kind: 'rfc2136', host: 'ns.test', port: 53, keyName: 'k', secret, zone: 'a.test' }),
  ].map(({ name }) => name);
  expect(names).toEqual(['route53 zone Z1', 'rfc2136 at ns.test:53']);
});
