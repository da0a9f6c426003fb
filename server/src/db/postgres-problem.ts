import { codeOf, StartError, sayError } from '../lib/start/start-error.ts';

/** Returns an error that says why Postgres cannot be used, with the address that was tried and without its password. */
export function postgresProblem(url: string, error: unknown): Error {
  if (error instanceof StartError) return error;
  const code = codeOf(error);
  const named = `Postgres at ${withoutSecrets(url)} (DATABASE_URL)`;
  return new StartError(`${named} ${wayOut(code)}`, error, withoutText(sayError(error), passwordOf(url)));
}

function wayOut(code: string): string {
  if (code === '28P01' || code === '28000')
    return 'refuses the user or the password. Check both in DATABASE_URL.';
  if (code === '3D000') return 'has no such database. Create it, or name another one in DATABASE_URL.';
  if (code === '53300') return 'has no connection left. Raise its max_connections, or start fewer processes.';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'cannot be found. Check the host in DATABASE_URL.';
  if (/^[0-9A-Z]{5}$/.test(code) && !code.startsWith('57')) return 'cannot be used.';
  return 'cannot be reached. Start it, or correct DATABASE_URL; the server does not wait for it.';
}

function withoutSecrets(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (!parsed) return 'an address that is no URL';
  const user = parsed.username ? `${parsed.username}@` : '';
  const socket = parsed.searchParams.get('host');
  return `${parsed.protocol}//${user}${socket ?? parsed.host}${parsed.pathname}`;
}

function passwordOf(url: string): string {
  if (!URL.canParse(url)) return '';
  const { password, searchParams } = new URL(url);
  return password || (searchParams.get('password') ?? '');
}

function withoutText(text: string, secret: string): string {
  return secret === '' ? text : text.replaceAll(secret, '…').replaceAll(decodeURIComponent(secret), '…');
}
