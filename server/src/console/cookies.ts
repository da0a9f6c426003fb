/*
 * The cookies of the console. Over HTTPS, and on this machine, their names have the prefix `__Host-`: browsers then accept them from this
 * very host alone, so that a sibling host cannot plant one (RFC 6265bis, section 4.1.3.2). Plain HTTP elsewhere has no such cookies, and
 * neither has Safari on this machine; there they have no prefix and are sent in the clear, as the whole page is.
 */
import { brand } from '@postrider/contract';
import { consoleLimits } from '@postrider/contract/console';
import type { CookieOptions, Request, RequestHandler, Response } from 'express';
import type { Deps } from '../deps.ts';
import { isLoopback } from '../lib/ip-address.ts';

const names = { session: `${brand.packages.sdk}_session`, device: `${brand.packages.sdk}_device` };
const prefix = '__Host-';
const deviceMs = 365 * 24 * 60 * 60 * 1_000;
const onlySafari = /Version\/[\d.]+.* Safari\//;

/** One of the cookies. */
export type CookieName = keyof typeof names;

/** Returns the value of a cookie; null without it. A cookie that a sibling host planted next to ours is ignored. */
export function readCookie(req: Request, name: CookieName): string | null {
  const wanted = nameFor(req, name);
  for (const part of (req.headers.cookie ?? '').split(';')) {
    const at = part.indexOf('=');
    if (at > 0 && part.slice(0, at).trim() === wanted) return part.slice(at + 1).trim();
  }
  return null;
}

/** Sets the cookie of a session, which ends with the session. */
export function setSessionCookie(req: Request, res: Response, token: string): void {
  set(req, res, 'session', token, consoleLimits.sessionAbsoluteMs);
}

/** Sets the cookie that marks the device as one on which the person has signed in. */
export function setDeviceCookie(req: Request, res: Response, token: string): void {
  set(req, res, 'device', token, deviceMs);
}

/** Removes the cookie of the session. The device stays known. */
export function clearSessionCookie(req: Request, res: Response): void {
  res.clearCookie(nameFor(req, 'session'), optionsFor(req));
}

function set(req: Request, res: Response, name: CookieName, value: string, maxAge: number): void {
  res.cookie(nameFor(req, name), value, { ...optionsFor(req), maxAge });
}

function nameFor(req: Request, name: CookieName): string {
  return isTrustworthy(req) ? prefix + names[name] : names[name];
}

function optionsFor(req: Request): CookieOptions {
  return { httpOnly: true, secure: isTrustworthy(req), sameSite: 'lax', path: '/' };
}

/**
 * Notes which requests came over HTTPS to a proxy that this server was not told to trust: those for the host of an HTTPS public URL. A
 * browser that did not use HTTPS would not keep the cookie.
 */
export function noteHttps({ address }: Pick<Deps, 'address'>): RequestHandler {
  return (req, res, next) => {
    const { protocol, host } = new URL(address.publicUrl);
    if (protocol === 'https:' && host === req.get('host')) res.locals.isOverHttps = true;
    next();
  };
}

/** Returns whether the browser keeps cookies that are `Secure` for this page. */
function isTrustworthy(req: Request): boolean {
  if (req.secure || req.res?.locals.isOverHttps === true) return true;
  const host = req.hostname.replace(/^\[|\]$/g, '');
  const isHere = host === 'localhost' || host.endsWith('.localhost') || isLoopback(host);
  return isHere && !onlySafari.test(req.get('user-agent') ?? '');
}
