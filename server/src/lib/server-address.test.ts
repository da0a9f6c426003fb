import { expect, test } from 'vitest';
import { ServerAddress } from './server-address.ts';

test.each([
  ['http://0.0.0.0:4400', 'http://localhost:4400'],
  ['http://[::]:4400', 'http://localhost:4400'],
  ['http://127.0.0.1:4400', 'http://127.0.0.1:4400'],
  ['http://10.0.0.0:80', 'http://10.0.0.0:80'],
  ['http://[::1]:4400', 'http://[::1]:4400'],
])('a server that listens at %s is reached at %s', (listening, reached) => {
  const address = new ServerAddress({ publicUrl: null, filesUrl: null });
  address.listenAt(listening);
  expect([address.publicUrl, address.filesUrl]).toEqual([reached, reached]);
});

test('a public URL wins', () => {
  const address = new ServerAddress({ publicUrl: 'https://mail.example/', filesUrl: null });
  address.listenAt('http://0.0.0.0:4400');
  expect(address.publicUrl).toBe('https://mail.example');
});
