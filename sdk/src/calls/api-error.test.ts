import { HttpResponse } from 'msw';
import { describe, expect, it } from 'vitest';
import { answer, errorAnswer, stubApi } from '../../test/stub-api.ts';
import * as sdk from '../index.ts';

const { reply, client } = stubApi();

async function catchError(response: () => Response): Promise<unknown> {
  reply(response);
  return client({ maxRetries: 0 })
    .account.get()
    .then(
      () => 'no error',
      (reason: unknown) => reason,
    );
}

describe('errors of answers', () => {
  it.each([
    [400, 'malformed_json', sdk.BadRequestError],
    [401, 'invalid_token', sdk.AuthenticationError],
    [402, 'inbox_limit_reached', sdk.PaymentRequiredError],
    [403, 'sending_not_allowed', sdk.PermissionDeniedError],
    [404, 'not_found', sdk.NotFoundError],
    [409, 'address_taken', sdk.ConflictError],
    [410, 'cursor_expired', sdk.GoneError],
    [413, 'payload_too_large', sdk.PayloadTooLargeError],
    [422, 'message_rejected', sdk.UnprocessableEntityError],
    [429, 'rate_limited', sdk.RateLimitError],
    [500, 'internal_error', sdk.ServerError],
    [503, 'unavailable', sdk.ServerError],
  ])('%i %s have the class of their status', async (status, code, errorClass) => {
    const error = await catchError(() => errorAnswer(status, code));
    expect(error).toBeInstanceOf(errorClass);
    expect(error).toBeInstanceOf(sdk.APIError);
    expect(error).toBeInstanceOf(sdk.PostriderError);
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({ status, code, name: errorClass.name });
  });

  it('carry the extra fields of their code, the request id, the headers and the body', async () => {
    const blocked = [{ address: 'ada@example.com', reason: 'suppressed' }];
    const error = await catchError(() =>
      errorAnswer(422, 'no_deliverable_recipients', { blocked }, { 'x-more': '1' }),
    );
    if (!(error instanceof sdk.APIError) || error.code !== 'no_deliverable_recipients') throw error;
    expect(error.blocked).toEqual(blocked);
    expect(error.requestId).toBe('req_stub');
    expect(error.headers.get('x-more')).toBe('1');
    expect(error.body).toMatchObject({ error: 'no_deliverable_recipients', blocked });
    expect(error.message).toBe(
      '422 no_deliverable_recipients: It is no_deliverable_recipients. (request req_stub)',
    );
  });

  it('show in their stack the line that made the call', async () => {
    reply(() => errorAnswer(404, 'not_found'));
    const linesOfAnAgent = () => client({ maxRetries: 0 }).account.get();
    const error = await linesOfAnAgent().catch((reason: Error) => reason);
    expect(error).toBeInstanceOf(sdk.NotFoundError);
    expect((error as Error).stack).toContain('linesOfAnAgent');
  });

  it('name every field that is wrong in their message', async () => {
    const issues = [
      { path: 'to.0', message: 'must be an address' },
      { path: '', message: 'is empty' },
    ];
    const error = await catchError(() => errorAnswer(400, 'invalid_request', { issues }));
    expect(String(error)).toContain('to.0 must be an address. The request is empty.');
    expect(error).toMatchObject({ issues });
  });

  it('keep the values false, 0 and null of their fields', async () => {
    const error = await catchError(() =>
      errorAnswer(402, 'inbox_limit_reached', { upgrade: false, limit: 0 }),
    );
    expect(error).toMatchObject({ upgrade: false, limit: 0 });
    expect(await catchError(() => errorAnswer(410, 'cursor_expired', { oldest: null }))).toMatchObject({
      oldest: null,
    });
  });

  it('take the request id from the body when no header has it', async () => {
    const error = await catchError(() =>
      HttpResponse.json({ error: 'not_found', request_id: 'req_body' }, { status: 404 }),
    );
    expect(error).toMatchObject({ requestId: 'req_body' });
  });

  it('keep a code that this version does not know', async () => {
    const error = await catchError(() => errorAnswer(418, 'teapot', { spout: 'short' }));
    expect(error).toBeInstanceOf(sdk.APIError);
    expect(error).toMatchObject({ status: 418, code: 'teapot', spout: 'short', name: 'APIError' });
  });

  it('let no answer replace what an error is made of', async () => {
    const fields = {
      stack: 'x',
      status: 1,
      name: 'x',
      toString: 'x',
      headers: 'x',
      ['__proto__']: { polluted: true },
    };
    const error = await catchError(() => errorAnswer(409, 'address_taken', fields));
    expect(error).toBeInstanceOf(sdk.ConflictError);
    expect(error).toMatchObject({ status: 409, name: 'ConflictError' });
    expect((error as Error).stack).not.toBe('x');
    expect(String(error)).toMatch(/^ConflictError: 409/);
    expect(error).not.toHaveProperty('polluted');
  });
});

describe('answers of something else', () => {
  it.each([
    ['a page of a proxy', () => HttpResponse.html('<h1>Bad gateway</h1>', { status: 502 }), 502],
    ['a page with status 200', () => HttpResponse.html('<h1>Welcome</h1>'), 200],
    ['nothing at all', () => answer(500), 500],
    ['JSON of another kind', () => HttpResponse.json({ fault: { issues: [null] } }, { status: 500 }), 500],
    ['issues of another kind', () => HttpResponse.json({ issues: [null, 1] }, { status: 400 }), 400],
  ])('are an APIError for %s', async (_what, response, status) => {
    const error = await catchError(response);
    expect(error).toBeInstanceOf(sdk.APIError);
    expect(error).toMatchObject({ status, code: 'unexpected_answer' });
    expect(String(error)).toContain('Is baseURL right?');
  });

  it('are quoted by their beginning', async () => {
    const error = await catchError(() => HttpResponse.html(`<h1>Welcome</h1>${'x'.repeat(500)}`));
    expect(String(error)).toContain('It begins: "<h1>Welcome</h1>');
    expect(String(error).length).toBeLessThan(250);
  });
});
