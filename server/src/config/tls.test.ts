import { listProblems } from '@postrider/testkit/lib/config-problems.ts';
import { describe, expect, test } from 'vitest';
import { readConfig } from './config.ts';

const acme = {
  POSTRIDER_ACME_EMAIL: 'ops@example.com',
  POSTRIDER_PUBLIC_URL: 'https://Mail.example.com:443/x',
  POSTRIDER_SMTP_HOSTNAME: 'MX.example.com',
};
const read = (environment: Record<string, string>) => {
  const { http, tls } = readConfig({ ...acme, ...environment });
  return { http: http.port, https: tls.httpsPort, names: tls.acme?.hostnames, isHttpsOnly: tls.isHttpsOnly };
};

describe('certificates that come by themselves', () => {
  test('are for the public host and the name of SMTP, at ports 80 and 443', () => {
    const names = ['mail.example.com', 'mx.example.com'];
    expect(read({})).toEqual({ http: 80, https: 443, names, isHttpsOnly: true });
    expect(read({ POSTRIDER_HTTP_PORT: '8080', POSTRIDER_HTTPS_PORT: '8443' })).toMatchObject({
      http: 8_080,
      https: 8_443,
    });
    expect(readConfig(acme).tls.acme).toMatchObject({
      email: 'ops@example.com',
      directory: 'https://acme-v02.api.letsencrypt.org/directory',
    });
  });

  test('are for one name if both are the same, if SMTP is off, or if HTTPS is', () => {
    expect(read({ POSTRIDER_SMTP_HOSTNAME: 'mail.example.com' }).names).toEqual(['mail.example.com']);
    expect(read({ POSTRIDER_SMTP_PORT: 'off' }).names).toEqual(['mail.example.com']);
    expect(read({ POSTRIDER_HTTPS_PORT: 'off' })).toEqual({
      http: 80,
      https: null,
      names: ['mx.example.com'],
      isHttpsOnly: false,
    });
  });

  test('are for SMTP alone behind a proxy, which has the ports of the web', () => {
    expect(read({ POSTRIDER_TRUST_PROXY: 'loopback' })).toEqual({
      http: 4_400,
      https: null,
      names: ['mx.example.com'],
      isHttpsOnly: false,
    });
  });

  const wrong: [Record<string, string>, RegExp][] = [
    [{ POSTRIDER_ACME_EMAIL: 'ops' }, /^POSTRIDER_ACME_EMAIL must be an email address/],
    [{ POSTRIDER_ACME_DIRECTORY: 'http://ca.example.com' }, /^POSTRIDER_ACME_DIRECTORY must be a URL/],
    [{ POSTRIDER_PUBLIC_URL: 'http://mail.example.com' }, /^POSTRIDER_PUBLIC_URL must be an https URL/],
    [{ POSTRIDER_PUBLIC_URL: 'https://192.0.2.1' }, /^POSTRIDER_PUBLIC_URL must be an https URL/],
    [{ POSTRIDER_PUBLIC_URL: '' }, /^POSTRIDER_PUBLIC_URL must be an https URL/],
    [{ POSTRIDER_SMTP_HOSTNAME: 'localhost' }, /^POSTRIDER_SMTP_HOSTNAME must be a host name/],
    [{ POSTRIDER_TRUST_PROXY: 'loopback', POSTRIDER_SMTP_HOSTNAME: '' }, /^POSTRIDER_SMTP_HOSTNAME must be/],
    [{ POSTRIDER_HTTPS_PORT: 'off', POSTRIDER_SMTP_PORT: 'off' }, /^POSTRIDER_ACME_EMAIL has no use here/],
    [
      { POSTRIDER_TRUST_PROXY: 'loopback', POSTRIDER_SMTP_PORT: 'off', POSTRIDER_SMTP_HOSTNAME: '' },
      /^POSTRIDER_ACME_EMAIL has no use here/,
    ],
    [{ POSTRIDER_TLS_CERT: '/c.pem', POSTRIDER_TLS_KEY: '/k.pem' }, /are both set: keep one/],
  ];
  test.each(wrong)('need names that they can be for: %j', (change, problem) => {
    expect(listProblems({ ...acme, ...change })).toEqual([expect.stringMatching(problem)]);
  });
});
