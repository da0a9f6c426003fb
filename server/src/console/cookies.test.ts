import type { Request, Response } from 'express';
import { expect, test } from 'vitest';
import { readCookie, setSessionCookie } from './cookies.ts';

const chrome =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36';
const safari =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15';

/** The parts of a request that decide about its cookies. */
const makeRequest = (url: string, { cookie = '', agent = chrome } = {}): Request => {
  const { protocol, hostname } = new URL(url);
  const headers = { cookie, 'user-agent': agent };
  const get = (name: string) => headers[name as keyof typeof headers];
  return { secure: protocol === 'https:', hostname, headers, get } as unknown as Request;
};
const cookieFor = (request: Request): { name: string; secure: boolean } => {
  const set: { name: string; secure: boolean }[] = [];
  const res = {
    cookie: (name: string, _: string, { secure }: { secure: boolean }) => set.push({ name, secure }),
  };
  setSessionCookie(request, res as unknown as Response, 'token');
  return set[0] as { name: string; secure: boolean };
};

test.each(['https://mail.example', 'http://127.0.0.1:4400', 'http://localhost:4400', 'http://[::1]:4400'])(
  'only %s itself can set the cookie',
  (url) => {
    expect(cookieFor(makeRequest(url))).toEqual({ name: '__Host-postrider_session', secure: true });
  },
);

test('over plain HTTP elsewhere, and for Safari on this machine, the cookie has no prefix', () => {
  const plain = { name: 'postrider_session', secure: false };
  expect(cookieFor(makeRequest('http://192.168.1.7:4400'))).toEqual(plain);
  expect(cookieFor(makeRequest('http://127.0.0.1:4400', { agent: safari }))).toEqual(plain);
  expect(cookieFor(makeRequest('https://mail.example', { agent: safari })).secure).toBe(true);
});

test('a cookie without the prefix, which a sibling host could have planted, is not read over HTTPS', () => {
  const cookie = 'postrider_session=planted; other=1; __Host-postrider_session=own';
  expect(readCookie(makeRequest('https://mail.example', { cookie }), 'session')).toBe('own');
  expect(
    readCookie(makeRequest('https://mail.example', { cookie: 'postrider_session=planted' }), 'session'),
  ).toBeNull();
});

test('a malformed header has no cookies', () => {
  for (const cookie of ['', ';', '=', '__Host-postrider_session', ';;=x;'])
    expect(readCookie(makeRequest('https://mail.example', { cookie }), 'session')).toBeNull();
});
