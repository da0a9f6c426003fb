import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';

/** The relay that outgoing mail is handed to, as read from a URL. */
export interface Relay {
  host: string;
  port: number;
  /** `implicit`: TLS before the greeting. `required`: STARTTLS or failure. `opportunistic`: STARTTLS if it is offered. `never`: no TLS. */
  tls: 'implicit' | 'required' | 'opportunistic' | 'never';
  /** Whether the certificate must be valid for the host. */
  verifyCertificate: boolean;
  /** PEM of the authorities that certificates are checked against; those of Node by default. */
  ca?: string;
  auth: { user: string; pass: string } | null;
}

const starttlsModes = ['required', 'opportunistic', 'never', 'insecure'] as const;

/**
 * Reads `smtp://user:pass@host:port` (STARTTLS if it is offered) or `smtps://…` (TLS from the start). The default ports are 587 and 465.
 * `?tls=` takes `required`, `opportunistic`, `never`, or `insecure` (any certificate is accepted). A password is sent over the network only
 * under TLS, unless `?tls=` says otherwise. On loopback no certificate is checked. Throws an Error that never quotes the URL, since it may
 * contain a password.
 */
export function parseRelay(text: string): Relay {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || (url.protocol !== 'smtp:' && url.protocol !== 'smtps:') || url.hostname === '')
    throw new Error('The SMTP relay must be a URL such as smtp://user:password@mail.example.com:587.');
  if (url.pathname.replace('/', '') !== '' || url.hash !== '')
    throw new Error(
      'The URL of the SMTP relay must have no path; special characters in it are percent-encoded.',
    );
  const host = readHost(url);
  const auth = readCredentials(url);
  // Port 465 uses TLS from the start (RFC 8314, section 7.3), whatever the scheme.
  const implicit = url.protocol === 'smtps:' || url.port === '465';
  const mode = readTlsMode(url, implicit);
  const loopback = isLoopback(host);
  const tlsByDefault = auth !== null && !loopback ? 'required' : 'opportunistic';
  return {
    host,
    port: Number(url.port) || (implicit ? 465 : 587),
    tls: implicit ? 'implicit' : mode === null || mode === 'insecure' ? tlsByDefault : mode,
    verifyCertificate: mode !== 'insecure' && !loopback,
    auth,
  };
}

function readHost(url: URL): string {
  const bare = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(bare) !== 0) return bare;
  // The parser leaves hosts of unknown schemes percent-encoded, as they were written.
  const host = domainToASCII(decodeOrEmpty(bare));
  if (host === '') throw new Error('The SMTP relay has no valid host name.');
  return host;
}

function decodeOrEmpty(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

function readCredentials(url: URL): Relay['auth'] {
  if (url.username === '') return null;
  const user = decodeOrEmpty(url.username);
  const pass = decodeOrEmpty(url.password);
  if (user === '' || pass === '')
    throw new Error('The SMTP relay needs a user and a password, both percent-encoded, or neither.');
  return { user, pass };
}

function readTlsMode(url: URL, implicit: boolean): (typeof starttlsModes)[number] | null {
  for (const key of url.searchParams.keys())
    if (key !== 'tls') throw new Error('The URL of the SMTP relay takes one parameter, "tls".');
  const value = url.searchParams.get('tls');
  if (value === null) return null;
  const mode = starttlsModes.find((known) => known === value);
  if (mode === undefined)
    throw new Error(`The parameter "tls" of the SMTP relay is one of ${starttlsModes.join(', ')}.`);
  if (implicit && mode !== 'insecure')
    throw new Error('The SMTP relay speaks TLS from the start, so its "tls" can only be insecure.');
  return mode;
}

function isLoopback(host: string): boolean {
  if (host === 'localhost' || host.endsWith('.localhost') || host === '::1') return true;
  return isIP(host) === 4 && host.startsWith('127.');
}
