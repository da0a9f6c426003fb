import { describe, expect, test } from 'vitest';
import { ConfigError, readConfig } from './config.ts';

// With both letters that have a meaning in URLs.
const secret = Buffer.from('fb/+'.repeat(11), 'base64');
const base64 = secret.toString('base64');
const read = (POSTRIDER_DNS_UPDATE: string) =>
  readConfig({ POSTRIDER_DNS_UPDATE, POSTRIDER_MAIL_DOMAIN: 'mail.example.org' }).dnsUpdate;

describe('POSTRIDER_DNS_UPDATE', () => {
  test('is for the mail domain at port 53 unless it names others', () => {
    const base = { kind: 'rfc2136', keyName: 'mail.key', secret };
    expect(read(`rfc2136://Mail.Key.:${base64}@ns1.example.org`)).toEqual({
      ...base,
      host: 'ns1.example.org',
      port: 53,
      zone: 'mail.example.org',
    });
    expect(read(`rfc2136://mail.key:${encodeURIComponent(base64)}@[::1]:5353?zone=Example.org.`)).toEqual({
      ...base,
      host: '::1',
      port: 5_353,
      zone: 'example.org',
    });
  });

  test('may be a hosted zone of Route 53, and absent', () => {
    expect(read('route53://Z0123456789ABC')).toEqual({ kind: 'route53', hostedZoneId: 'Z0123456789ABC' });
    expect(read('')).toBeNull();
  });

  test.each([
    ['another scheme', `https://mail.key:${base64}@ns1.example.org`, /must be rfc2136:/],
    ['no key', 'rfc2136://ns1.example.org', /must be rfc2136:/],
    ['no secret', 'rfc2136://mail.key@ns1.example.org', /must be rfc2136:/],
    ['a secret that is not base64', `rfc2136://mail.key:${base64}!@ns1.example.org`, /not base64/],
    ['a short secret', 'rfc2136://mail.key:c2hvcnQ=@ns1.example.org', /shorter than 16 bytes/],
    ['a port over 65535', `rfc2136://mail.key:${base64}@ns1.example.org:65536`, /port/],
    ['a zone that is no domain', `rfc2136://mail.key:${base64}@ns1.example.org?zone=a..b`, /zone/],
    ['an unknown parameter', `rfc2136://mail.key:${base64}@ns1.example.org?zones=a.b`, /must be rfc2136:/],
    ['a hosted zone with slashes', 'route53://a/b', /must be rfc2136:/],
  ])('with %s is refused in words without the secret', (_what, value, words) => {
    let thrown: unknown;
    try {
      read(value);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(ConfigError);
    expect((thrown as ConfigError).message).toMatch(words);
    expect((thrown as ConfigError).message).not.toContain(base64.slice(0, 8));
    expect((thrown as ConfigError).message).not.toContain('c2hvcnQ');
  });
});
