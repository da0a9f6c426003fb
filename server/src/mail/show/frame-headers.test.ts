import { expect, test } from 'vitest';
import { frameHeaders } from './frame-headers.ts';
import { createNonce } from './measure-page.ts';

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
      /^sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; script-src 'none';/,
    );
});

test('a script with the nonce of the response is the only one, and the page still has an origin of its own', () => {
  const nonce = createNonce();
  expect(readPolicy({ remoteImages: true, nonce })).toMatch(
    new RegExp(
      `^sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox; default-src 'none'; script-src 'nonce-${nonce}';`,
    ),
  );
  expect(readPolicy({ remoteImages: true, nonce })).not.toContain('allow-same-origin');
  expect(createNonce()).not.toBe(nonce);
});

test.each(['', "' 'unsafe-inline'", 'short', `${'x'.repeat(22)}' *`])(
  'a nonce that could add to the policy or be guessed is refused: %s',
  (nonce) => {
    expect(() => frameHeaders({ remoteImages: false, nonce })).toThrow('not one of createNonce');
  },
);

test.each(['https://a.test; script-src *', 'https://a.test https://b.test', '*', "'self'", 'data:'])(
  'a source that could add to the policy is refused: %s',
  (source) => {
    expect(() => frameHeaders({ remoteImages: false, imageSources: [source] })).toThrow('is not a source');
  },
);
