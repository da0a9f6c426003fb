import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { answers, commonErrorCodes, errorBodies, errorSchemaName, listErrorCodes } from '../answers.ts';
import { errorCodes, isErrorCode } from './error-body.ts';
import { errors } from './errors.ts';

const page = (name: string) => readFileSync(new URL(`../../../docs/spec/${name}`, import.meta.url), 'utf8');

/** The rows of the tables under a heading, cell by cell. */
function tableRows(text: string, heading: string): string[][] {
  const section = text.slice(text.indexOf(`\n${heading}\n`)).split(/\n#+ (?!Errors)/)[0] ?? '';
  const rows = section.split('\n').filter((line) => line.startsWith('| '));
  return rows.map((row) =>
    row
      .slice(1, -1)
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim()),
  );
}

function documentedCodes(text: string, heading: string): [code: string, status: number][] {
  const rows = tableRows(text, heading).filter(([status]) => /^\d{3}$/.test(status ?? ''));
  return rows.flatMap(([status, codes]) =>
    [...(codes ?? '').matchAll(/`([a-z_]+)`/g)].map(([, code]): [string, number] => [
      code ?? '',
      Number(status),
    ]),
  );
}

describe('the error catalogue', () => {
  it('has every code of the interface page, with its status, and no other', () => {
    const documented = documentedCodes(page('interface.md'), '### Errors');
    expect(documented.length).toBeGreaterThan(25);
    const statuses = Object.fromEntries(documented);
    const catalogue = Object.fromEntries(errorCodes.map((code) => [code, errors[code].status]));
    expect(catalogue).toEqual(statuses);
  });

  it('has every code of the service page, with its status', () => {
    const documented = documentedCodes(page('service.md'), '## Errors');
    expect(documented).toHaveLength(7);
    for (const [code, status] of documented) {
      expect(isErrorCode(code) && errors[code].status, code).toBe(status);
    }
  });

  it('names the extra fields of the interface page', () => {
    const extras = (code: keyof typeof errors) => Object.keys(errors[code].extra.shape);
    expect(extras('invalid_request')).toEqual(['issues']);
    expect(extras('inbox_limit_reached')).toEqual(['upgrade', 'limit']);
    expect(extras('email_limit_reached')).toEqual(['upgrade', 'limit']);
    expect(extras('custom_domains_require_paid_plan')).toEqual(['upgrade']);
    expect(extras('dedicated_subdomain_requires_scale')).toEqual(['upgrade']);
    expect(extras('storage_limit_reached')).toEqual(['upgrade', 'limit_bytes']);
    expect(extras('sending_not_allowed')).toEqual(['at']);
    expect(extras('sending_paused')).toEqual(['at']);
    expect(extras('right_missing')).toEqual(['right']);
    expect(extras('limit_reached')).toEqual(['limit']);
    expect(extras('cursor_expired')).toEqual(['oldest']);
    expect(extras('attachment_too_large')).toEqual(['limit_bytes']);
    expect(extras('payload_too_large')).toEqual(['limit_bytes']);
    expect(extras('no_deliverable_recipients')).toEqual(['blocked']);
    expect(extras('message_rejected')).toEqual(['id', 'reason']);
    expect(extras('rate_limited')).toEqual(['retry_after_seconds', 'reason']);
  });

  it('says in one sentence what to do', () => {
    for (const code of errorCodes) {
      expect(errors[code].message, code).toMatch(/^[A-Z`].*\.$/);
      expect(errors[code].meaning, code).toMatch(/^[A-Z`].*\.$/);
    }
  });

  it('names schemas after codes', () => {
    expect(errorSchemaName('address_taken')).toBe('AddressTakenError');
    expect(errorSchemaName('internal_error')).toBe('InternalError');
    expect(new Set(errorCodes.map(errorSchemaName)).size).toBe(errorCodes.length);
  });

  it('does not take inherited names for codes', () => {
    expect(isErrorCode('toString')).toBe(false);
    expect(isErrorCode('__proto__')).toBe(false);
  });
});

describe('answers', () => {
  const envelope = { message: 'Do something.', request_id: 'req_1' };

  it('declares the common codes on every route and adds its own', () => {
    const responses = answers('address_taken', 'inbox_limit_reached');
    expect(listErrorCodes({ responses })).toEqual(
      errorCodes.filter((code) =>
        [...commonErrorCodes, 'address_taken', 'inbox_limit_reached'].includes(code),
      ),
    );
    expect(Object.keys(responses)).toEqual([
      '400',
      '401',
      '402',
      '403',
      '404',
      '405',
      '409',
      '413',
      '415',
      '429',
      '500',
      '503',
    ]);
  });

  it('keeps the common code of a status that a route has codes of its own for', () => {
    const body = { error: 'payload_too_large', limit_bytes: 1, ...envelope };
    expect(answers('attachment_too_large')[413].safeParse(body).success).toBe(true);
  });

  it('takes the body of an error only under its own status and with its extra fields', () => {
    const responses = answers('address_taken', 'cursor_expired');
    expect(responses[409].safeParse({ error: 'address_taken', reason: 'taken', ...envelope }).success).toBe(
      true,
    );
    expect(responses[409].safeParse({ error: 'label_name_taken', ...envelope }).success).toBe(false);
    expect(responses[410].safeParse({ error: 'cursor_expired', ...envelope }).success).toBe(false);
    expect(responses[410].safeParse({ error: 'cursor_expired', oldest: null, ...envelope }).success).toBe(
      true,
    );
    expect(errorBodies.address_taken.safeParse({ error: 'address_taken' }).success).toBe(false);
  });
});
