import { type ErrorCode, errors } from '@postrider/contract';
import { APIError } from 'postrider';
import { expect } from 'vitest';

/** The error that a call must be answered with, checked against the catalogue; gives its body. */
export const errorOf = async (
  call: Promise<unknown>,
  code: ErrorCode,
  extra: Record<string, unknown> = {},
): Promise<Record<string, unknown>> => {
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
};

/** The fields that a 400 names, each once. */
export const invalidFields = async (call: Promise<unknown>): Promise<string[]> => {
  const { issues } = await errorOf(call, 'invalid_request');
  return [...new Set((issues as { path: string; message: string }[]).map((issue) => issue.path))];
};

/** What calls at the same time came to: how many were answered (`done`), and how many with which error code. */
export const tally = async (calls: PromiseLike<unknown>[]): Promise<Record<string, number>> => {
  const counts: Record<string, number> = {};
  for (const result of await Promise.allSettled(calls)) {
    const kind = result.status === 'fulfilled' ? 'done' : String(result.reason.code ?? result.reason);
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
};
