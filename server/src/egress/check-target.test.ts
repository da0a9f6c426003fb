import type { LookupAddress } from 'node:dns';
import { describe, expect, test } from 'vitest';
import { findTargetProblem, guardedLookup, isRefusedHost } from './check-target.ts';

const names: Record<string, string[]> = {
  'public.example': ['93.184.215.14', '2606:2800:21f::1'],
  'private.example': ['10.0.0.1', 'fd00::1'],
  'mixed.example': ['10.0.0.1', '93.184.215.14'],
};
const findAddresses = async (hostname: string): Promise<string[]> => {
  const found = names[hostname];
  if (!found) throw Object.assign(new Error('queryA ENOTFOUND'), { code: 'ENOTFOUND' });
  return found;
};
const rules = { allowPrivate: false, findAddresses };
const open = { allowPrivate: true, findAddresses };

describe('a URL to post to', () => {
  test.each([
    ['https://public.example/hooks', null],
    ['https://public.example:8443/hooks?a=b', null],
    ['https://mixed.example/', null],
    ['https://unknown.example/', null],
    ['https://93.184.215.14/', null],
    ['http://public.example/', 'must begin with https://'],
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
    await expect(lookUp('private.example', true)).rejects.toThrow('no public address');
    await expect(lookUp('unknown.example', true)).rejects.toThrow('ENOTFOUND');
    expect(await lookUp('private.example', false, open)).toBe('10.0.0.1');
  });

  test('to what is an address already is refused before anybody is asked', () => {
    expect(
      ['127.0.0.1', '[::1]', '[::ffff:a00:1]', 'localhost', 'a.localhost.'].every((host) =>
        isRefusedHost(host, rules),
      ),
    ).toBe(true);
    expect(
      ['93.184.215.14', 'public.example', '[2606:2800:21f::1]'].some((host) => isRefusedHost(host, rules)),
    ).toBe(false);
    expect(isRefusedHost('127.0.0.1', open)).toBe(false);
  });
});
