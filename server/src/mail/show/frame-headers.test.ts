import { expect, test } from 'vitest';
import { frameHeaders } from './frame-headers.ts';

const readPolicy = (options: Parameters<typeof frameHeaders>[0]) =>
  frameHeaders(options)['content-security-policy'] ?? '';

test('the policy lets images of other servers in only if the reader asked for them', () => {
  expect(readPolicy({ remoteImages: false })).toContain('; img-src data:; ');
  expect(readPolicy({ remoteImages: true })).toContain('; img-src data: https: http:; ');
});

test('the policy names the sources of inline images', () => {
  const imageSources = ['https://mail.example/console/mail/images/'];
  expect(readPolicy({ remoteImages: false, imageSources })).toContain(
    '; img-src data: https://mail.example/console/mail/images/; ',
  );
});

test('a page without scripts and without an origin is in the policy whatever the options', () => {
  for (const remoteImages of [false, true])
    expect(readPolicy({ remoteImages })).toMatch(
      /^sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none';/,
    );
});

test.each(['https://a.test; script-src *', 'https://a.test https://b.test', '*', "'self'", 'data:'])(
  'a source that could add to the policy is refused: %s',
  (source) => {
    expect(() => frameHeaders({ remoteImages: false, imageSources: [source] })).toThrow('is not a source');
  },
);
