import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { readConfig } from '../../server/src/config/config.ts';

const containerfile = readFileSync(new URL('../../deploy/image/Containerfile', import.meta.url), 'utf8');
const [, command = '[]'] = /^HEALTHCHECK .* CMD (\[.*\])$/m.exec(containerfile) ?? [];
const [, , program = ''] = JSON.parse(command) as string[];

/** Runs the health check of the image with these settings, and returns the URL that it asks. */
const askedBy = (env: Record<string, string>): string => {
  let asked = '';
  const fetch = (url: string) => {
    asked = url;
    return Promise.resolve({ ok: true });
  };
  runInNewContext(program, { fetch, process: { env, exit: () => {} } });
  return asked;
};

const acme = {
  POSTRIDER_ACME_EMAIL: 'ops@example.com',
  POSTRIDER_PUBLIC_URL: 'https://mail.example.com',
  POSTRIDER_SMTP_HOSTNAME: 'mx.example.com',
};
const files = { POSTRIDER_TLS_CERT: '/c.pem', POSTRIDER_TLS_KEY: '/k.pem', POSTRIDER_HTTPS_PORT: '443' };

test.each<Record<string, string>>([
  {},
  { POSTRIDER_HTTP_PORT: '8080' },
  files,
  acme,
  { ...acme, POSTRIDER_HTTP_PORT: '8080' },
  { ...acme, POSTRIDER_TRUST_PROXY: '' },
  { ...acme, POSTRIDER_TRUST_PROXY: 'off' },
  { ...acme, POSTRIDER_TRUST_PROXY: 'off', POSTRIDER_HTTPS_PORT: 'off' },
  { ...acme, POSTRIDER_TRUST_PROXY: 'loopback' },
])('the health check of the image asks the port of HTTP: %j', (env) => {
  expect(askedBy(env)).toBe(`http://127.0.0.1:${readConfig(env).http.port}/readyz`);
});
