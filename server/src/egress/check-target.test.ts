import type { LookupAddress } from 'node:dns';
import { describe, expect, test } from 'vitest';
import { findTargetProblem, formProblem, guardedLookup, type TargetRules } from './check-target.ts';

const names: Record<string, string[]> = {
  'public.example': ['93.184.215.14', '2606:2800:21f::1'],
  'private.example': ['10.0.0.1', 'fd00::1'],
  'here.example': ['127.0.0.1'],
  'mixed.example': ['10.0.0.1', '93.184.215.14'],
};
const findAddresses = async (hostname: string): Promise<string[]> => {
  const found = names[hostname];
  if (!found) throw Object.assign(new Error('queryA ENOTFOUND'), { code: 'ENOTFOUND' });
  return found;
};
const rules: TargetRules = { reach: 'public', findAddresses };
const local: TargetRules = { reach: 'loopback', findAddresses };
const open: TargetRules = { reach: 'private', findAddresses };

describe('a URL to post to', () => {
  test.each([
    ['https://public.example/hooks', null],
    ['https://public.example:8443/hooks?a=b', null],
    ['https://mixed.example/', null],
    ['https://unknown.example/', null],
    ['https://93.184.215.14/', null],
    ['http://public.example/', expect.stringContaining('must begin with https://')],
    ['https://private.example/', expect.stringContaining('private')],
    ['https://10.0.0.1/', expect.stringContaining('private')],
    ['https://[::1]/', expect.stringContaining('private')],
    ['https://localhost/', expect.stringContaining('private')],
    ['https://ada@public.example/', expect.stringContaining('user name')],
  ])(
    '%s: refused where it leads to private addresses alone, and for what its form says',
    async (url, problem) => {
      expect(await findTargetProblem(url, rules)).toEqual(problem);
    },
  );

  test.each([
    ['http://localhost:3000/hooks', null],
    ['http://agent.localhost/', null],
    ['http://127.0.0.1:3000/', null],
    ['http://127.1.2.3/', null],
    ['http://[::1]:3000/', null],
    ['http://[::ffff:127.0.0.1]/', null],
    ['https://localhost/', null],
    ['https://here.example/', null],
    ['https://public.example/', null],
    ['http://here.example/', expect.stringContaining('localhost')],
    ['http://public.example/', expect.stringContaining('localhost')],
    ['http://0.0.0.0/', expect.stringContaining('localhost')],
    ['https://0.0.0.0/', expect.stringContaining('private')],
    ['https://10.0.0.1/', expect.stringContaining('private')],
    ['https://169.254.169.254/', expect.stringContaining('private')],
    ['https://private.example/', expect.stringContaining('private')],
    ['http://ada@localhost/', expect.stringContaining('user name')],
  ])('%s: to this machine, also without encryption, where that is allowed', async (url, problem) => {
    expect(await findTargetProblem(url, local)).toEqual(problem);
  });

  test('that is refused names the setting that allows it', async () => {
    for (const url of ['http://public.example/', 'https://10.0.0.1/', 'https://private.example/'])
      for (const by of [rules, local])
        expect(await findTargetProblem(url, by)).toContain('POSTRIDER_WEBHOOK_ALLOW_PRIVATE=true');
  });

  test('may be private and without encryption where that is allowed, and still holds no password', async () => {
    expect(await findTargetProblem('http://10.0.0.1/', open)).toBeNull();
    expect(await findTargetProblem('http://ada:x@10.0.0.1/', open)).toContain('password');
  });
});

describe('a connection', () => {
  const lookUp = (hostname: string, all: boolean, by = rules): Promise<string | LookupAddress[]> =>
    new Promise((resolve, reject) => {
      guardedLookup(by)(hostname, { all }, (error, address) => (error ? reject(error) : resolve(address)));
    });

  test('is made to the public addresses of a name, and to no others', async () => {
    expect(await lookUp('mixed.example', true)).toEqual([{ address: '93.184.215.14', family: 4 }]);
    expect(await lookUp('mixed.example', false)).toBe('93.184.215.14');
    await expect(lookUp('private.example', true)).rejects.toThrow('private');
    await expect(lookUp('here.example', true)).rejects.toThrow('private');
    await expect(lookUp('localhost', true)).rejects.toThrow('private');
    await expect(lookUp('unknown.example', true)).rejects.toThrow('ENOTFOUND');
    expect(await lookUp('private.example', false, open)).toBe('10.0.0.1');
  });

  test('is made to this machine where that is allowed, without asking for what localhost is', async () => {
    expect(await lookUp('here.example', false, local)).toBe('127.0.0.1');
    expect(await lookUp('localhost', true, local)).toEqual([
      { address: '127.0.0.1', family: 4 },
      { address: '::1', family: 6 },
    ]);
    await expect(lookUp('private.example', true, local)).rejects.toThrow('private');
  });

  test('to what is an address already is refused before anybody is asked', () => {
    const findProblem = (url: string, by: TargetRules) => formProblem(new URL(url), by);
    const refused = ['https://127.0.0.1', 'https://[::1]', 'https://[::ffff:a00:1]', 'https://a.localhost.'];
    for (const url of [...refused, 'http://public.example']) {
      expect(findProblem(url, rules), url).not.toBeNull();
      expect(findProblem(url, open), url).toBeNull();
    }
    for (const url of ['https://93.184.215.14', 'https://public.example', 'https://[2606:2800:21f::1]'])
      expect(findProblem(url, rules), url).toBeNull();
  });
});
