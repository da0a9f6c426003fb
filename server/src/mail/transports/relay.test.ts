import { describe, expect, it } from 'vitest';
import { parseRelay } from './relay.ts';

describe('the URL of a relay', () => {
  it('names host, port and credentials, percent-encoded', () => {
    expect(parseRelay('smtp://me%40example.com:p%40ss%3Aword@mail.example.com:2525')).toEqual({
      host: 'mail.example.com',
      port: 2525,
      tls: 'required',
      verifyCertificate: true,
      auth: { user: 'me@example.com', pass: 'p@ss:word' },
    });
  });

  it('has the ports of submission by default', () => {
    expect(parseRelay('smtp://mail.example.com')).toMatchObject({
      port: 587,
      tls: 'opportunistic',
      auth: null,
    });
    expect(parseRelay('smtps://mail.example.com')).toMatchObject({ port: 465, tls: 'implicit' });
    expect(parseRelay('smtp://mail.example.com:465')).toMatchObject({ port: 465, tls: 'implicit' });
    expect(parseRelay('smtps://mail.example.com:5465/')).toMatchObject({ port: 5465, tls: 'implicit' });
  });

  it('checks certificates except on loopback and where told not to', () => {
    expect(parseRelay('smtp://127.0.0.1:25').verifyCertificate).toBe(false);
    expect(parseRelay('smtp://[::1]:25')).toMatchObject({ host: '::1', verifyCertificate: false });
    expect(parseRelay('smtp://localhost:25').verifyCertificate).toBe(false);
    expect(parseRelay('smtp://relay.test?tls=insecure').verifyCertificate).toBe(false);
    expect(parseRelay('smtps://relay.test?tls=insecure')).toMatchObject({
      tls: 'implicit',
      verifyCertificate: false,
    });
    expect(parseRelay('smtp://127.evil.test').verifyCertificate).toBe(true);
  });

  it('sends a password over the network only under TLS unless told otherwise', () => {
    expect(parseRelay('smtp://u:p@relay.test').tls).toBe('required');
    expect(parseRelay('smtp://u:p@relay.test?tls=insecure').tls).toBe('required');
    expect(parseRelay('smtp://u:p@relay.test?tls=opportunistic').tls).toBe('opportunistic');
    expect(parseRelay('smtp://u:p@127.0.0.1').tls).toBe('opportunistic');
    expect(parseRelay('smtp://relay.test?tls=never').tls).toBe('never');
  });

  it('takes an international host name', () => {
    expect(parseRelay('smtp://bücher.example:25').host).toBe('xn--bcher-kva.example');
  });

  it('is refused without a word of what may be a secret', () => {
    const bad = [
      'mail.example.com:25',
      'http://u:hunter2@relay.test',
      'smtp://',
      'smtp://u:hunter2@relay.test/path',
      'smtp://u:hunt#er2@relay.test',
      'smtp://u:hunter2@relay.test?tls=maybe',
      'smtp://u:hunter2@relay.test?pool=hunter2',
      'smtp://u:%zzhunter2@relay.test',
      'smtp://u@relay.test',
      'smtps://u:hunter2@relay.test?tls=never',
      'smtp://relay.test:99999',
      '',
    ];
    for (const text of bad) {
      expect(() => parseRelay(text), text).toThrow(/SMTP relay/);
      expect(() => parseRelay(text), text).not.toThrow(/hunt/);
    }
  });
});
