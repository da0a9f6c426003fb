/* How the texts of the environment are read; messages complete the name of the setting. */
import { asIssues } from '@postrider/contract';
import { Email, NewPassword } from '@postrider/contract/console';
import * as z from 'zod';
import { parseDomain } from '../lib/email-address.ts';

/** A text, which is not empty. */
export function text(fallback: string) {
  return z.string().min(1).default(fallback);
}
/** A text that need not be there. */
export const optionalText = z.string().min(1).optional();
/** A port of TCP. */
export function port(fallback: number) {
  return z
    .string()
    .default(String(fallback))
    .transform((value, issues) => {
      const number = Number(value);
      if (/^\d{1,5}$/.test(value) && number <= 65_535) return number;
      issues.addIssue('must be a port from 0 to 65535');
      return z.NEVER;
    });
}
/** `true` or `false`. */
export function flag(fallback: 'true' | 'false') {
  return z
    .enum(['true', 'false'], 'must be true or false')
    .default(fallback)
    .transform((value) => value === 'true');
}
/** An amount of bytes, null where none is given. */
export const bytes = z
  .string()
  .optional()
  .transform((value, issues) => {
    if (value === undefined) return null;
    const [, number, unit = ''] = /^(\d{1,12}) ?(|[KMGT]B)$/i.exec(value) ?? [];
    if (number !== undefined) return Number(number) * byteUnits[unit.toUpperCase() as keyof typeof byteUnits];
    issues.addIssue('must be a number of bytes, or one with KB, MB, GB or TB');
    return z.NEVER;
  });
const byteUnits = { '': 1, KB: 2 ** 10, MB: 2 ** 20, GB: 2 ** 30, TB: 2 ** 40 };
/** A URL with one of the protocols; `example` shows one. */
export function url(protocols: RegExp, example: string) {
  return z
    .string()
    .optional()
    .refine((value) => value === undefined || isUrl(value, protocols), `must be a URL such as ${example}`);
}
/** URLs with one of the protocols, with spaces or commas between; `example` shows one. */
export function urls(protocols: RegExp, example: string) {
  return z
    .string()
    .optional()
    .transform((value) => (value ?? '').split(/[\s,]+/).filter((one) => one !== ''))
    .refine(
      (values) => values.every((value) => isUrl(value, protocols)),
      `must be a URL such as ${example}, or several, separated by spaces or commas`,
    );
}
/** Origins with commas between. */
export const origins = z
  .string()
  .optional()
  .transform((value, issues) => {
    const listed = (value ?? '').split(',').map((text) => text.trim().replace(/\/$/, ''));
    const named = listed.filter((text) => text !== '');
    if (named.every(isOrigin)) return named.map((text) => new URL(text).origin);
    issues.addIssue('must be origins such as https://app.example.com, separated by commas');
    return z.NEVER;
  });
/** Domain names with commas between, as A-labels. */
export const domains = z
  .string()
  .optional()
  .transform((value, issues) => {
    const named = (value ?? '').split(',').map((text) => text.trim());
    const read = named.filter((text) => text !== '').map(parseDomain);
    if (read.every((domain) => domain !== null)) return read;
    issues.addIssue('must be domains such as lists.example.com, separated by commas');
    return z.NEVER;
  });
/** JSON that fits a schema; `empty` where none is given. */
export function json<T>(schema: z.ZodType<T>, empty: T) {
  return z
    .string()
    .optional()
    .transform((value, issues) => {
      if (value === undefined) return empty;
      try {
        const result = schema.safeParse(JSON.parse(value));
        if (result.success) return result.data;
        for (const { path, message } of asIssues(result.error.issues))
          issues.addIssue(path === '' ? message : `at ${path}: ${message}`);
      } catch {
        issues.addIssue('must be JSON');
      }
      return z.NEVER;
    });
}

function isOrigin(text: string): boolean {
  return isUrl(text, /^https?:$/) && new URL(text).origin === text.toLowerCase();
}
function isUrl(value: string, protocols: RegExp): boolean {
  return URL.canParse(value) && protocols.test(new URL(value).protocol);
}

/** `email:password`; the password may have colons. */
export const consoleAdmin = z
  .string()
  .optional()
  .transform((value, issues) => {
    if (value === undefined) return null;
    const email = Email.safeParse(value.slice(0, Math.max(0, value.indexOf(':'))));
    const password = NewPassword.safeParse(value.slice(value.indexOf(':') + 1));
    if (!email.success) issues.addIssue('must be email:password, with an email address like ada@example.com');
    else if (!password.success) issues.addIssue(`has a password that ${password.error.issues[0]?.message}`);
    else return { email: email.data, password: password.data };
    return z.NEVER;
  });

/** One setting: how it is read, its value when absent, and its sentence in `.env.example`. */
export interface Variable<T> {
  schema: z.ZodType<T, string | undefined>;
  about: string;
  /** The default as `.env.example` shows it; omitted if there is none. */
  example?: string;
  /** Never printed, and may also come from the file that `<NAME>_FILE` names. */
  secret?: true;
}

/** Returns a setting. */
export function variable<T>(
  schema: z.ZodType<T, string | undefined>,
  about: string,
  more: Omit<Variable<T>, 'schema' | 'about'> = {},
): Variable<T> {
  return { schema, about, ...more };
}
