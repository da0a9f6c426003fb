import { type ErrorCode, errors } from '@postrider/contract';
import { APIError } from 'postrider';
import { expect } from 'vitest';

/** Returns the body of the error with which a call must be rejected, after a check against the catalogue. */
export async function catchApiError(
  call: Promise<unknown>,
  code: ErrorCode,
  extra: Record<string, unknown> = {},
): Promise<Record<string, unknown>> {
  const error = await call.then(
    (data) => {
      throw new Error(`Expected ${code}, and the call was answered: ${JSON.stringify(data)?.slice(0, 300)}`);
    },
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof APIError)) throw error;
  expect({ ...(error.body as object) }).toMatchObject({ error: code, ...extra });
  expect(error.status).toBe(errors[code].status);
  return error.body as Record<string, unknown>;
}

/** Returns the fields that a 400 names, each once. */
export async function invalidFields(call: Promise<unknown>): Promise<string[]> {
  const { issues } = await catchApiError(call, 'invalid_request');
  return [...new Set((issues as { path: string; message: string }[]).map((issue) => issue.path))];
}

/** Returns how many of several simultaneous calls succeeded (`done`), and how many failed with each error code. */
export async function tally(calls: PromiseLike<unknown>[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const result of await Promise.allSettled(calls)) {
    const kind = result.status === 'fulfilled' ? 'done' : String(result.reason.code ?? result.reason);
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
}
