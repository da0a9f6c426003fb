import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashApiKey, keyHint, kindOfApiKey, looksLikeApiKey, newApiKey } from './api-key.ts';

describe('newApiKey', () => {
  it('is the prefix of its kind and 43 base62 characters, and never the same twice', () => {
    const keys = Array.from(
      { length: 2_000 },
      (_, index) => newApiKey(index % 2 === 0 ? 'live' : 'test').key,
    );
    expect(new Set(keys).size).toBe(keys.length);
    for (const [index, key] of keys.entries()) {
      expect(key).toMatch(index % 2 === 0 ? /^pr_live_[0-9A-Za-z]{43}$/ : /^pr_test_[0-9A-Za-z]{43}$/);
    }
  });

  it('stores a SHA-256 and shows the last four characters', () => {
    const { key, hash, hint } = newApiKey('live');
    expect(hash).toEqual(createHash('sha256').update(key).digest());
    expect(hash).toEqual(hashApiKey(key));
    expect(hint).toBe(`pr_live_…${key.slice(-4)}`);
    expect(keyHint(key)).toBe(hint);
  });

  it('uses every character in every place but the first about as often', () => {
    const places = 42;
    const keys = 3_000;
    const counts = new Map<string, number>();
    for (let made = 0; made < keys; made += 1) {
      for (const char of newApiKey('live').key.slice(-places)) counts.set(char, (counts.get(char) ?? 0) + 1);
    }
    const expected = (keys * places) / 62;
    expect(counts.size).toBe(62);
    // Six standard deviations: a chance of about one in ten million for one of the 62 characters.
    for (const count of counts.values()) {
      expect(Math.abs(count - expected)).toBeLessThan(6 * Math.sqrt(expected));
    }
  });
});

describe('looksLikeApiKey', () => {
  it('tells the kinds apart', () => {
    expect(kindOfApiKey(newApiKey('live').key)).toBe('live');
    expect(kindOfApiKey(newApiKey('test').key)).toBe('test');
    expect(looksLikeApiKey(newApiKey('test').key)).toBe(true);
  });

  it('refuses everything else', () => {
    const { key } = newApiKey('live');
    for (const text of [
      '',
      key.slice(1),
      key.slice(0, -1),
      `${key}0`,
      `${key}\n`,
      ` ${key}`,
      key.replace('live', 'prod'),
    ]) {
      expect(looksLikeApiKey(text)).toBe(false);
    }
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => !looksLikeApiKey(text)));
  });
});
