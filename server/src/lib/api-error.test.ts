import { errorBodies, errorCodes, errors } from '@postrider/contract';
import { describe, expect, it } from 'vitest';
import { ApiError, invalidField, isApiError, notFound } from './api-error.ts';

describe('ApiError', () => {
  it('takes status and message from the catalogue for every code', () => {
    for (const code of errorCodes) {
      const error = new ApiError(code, {} as never);
      expect(error.status).toBe(errors[code].status);
      expect(error.message).toBe(errors[code].message);
      expect(error).toBeInstanceOf(Error);
    }
  });

  it('has a body that the contract accepts, with the extra fields beside the code', () => {
    const error = new ApiError('inbox_limit_reached', { upgrade: true, limit: 5 });
    const body = error.body('req_1');
    expect(body).toEqual({
      error: 'inbox_limit_reached',
      message: errors.inbox_limit_reached.message,
      request_id: 'req_1',
      upgrade: true,
      limit: 5,
    });
    expect(errorBodies.inbox_limit_reached.parse(body)).toEqual(body);
  });

  it('keeps its own message, headers and cause', () => {
    const cause = new Error('the pool is busy');
    const error = new ApiError(
      'unavailable',
      {},
      { message: 'Wait.', headers: { 'retry-after': '1' }, cause },
    );
    expect(error).toMatchObject({ message: 'Wait.', headers: { 'retry-after': '1' }, cause });
    expect(JSON.stringify(error.body('req_1'))).not.toContain('pool');
  });

  it('is type-checked by code', () => {
    // @ts-expect-error The code needs its extra fields.
    expect(() => new ApiError('inbox_limit_reached')).not.toThrow();
    // @ts-expect-error The extra fields of another code do not fit.
    expect(() => new ApiError('limit_reached', { limit_bytes: 3 })).not.toThrow();
    // @ts-expect-error A code without extra fields takes none.
    expect(() => new ApiError('malformed_json', { limit: 3 })).not.toThrow();
    expect(() => new ApiError('label_name_taken')).not.toThrow();
  });
});

describe('isApiError', () => {
  it('narrows the extra fields', () => {
    const error: unknown = new ApiError('limit_reached', { limit: 50 });
    expect(isApiError(error, 'limit_reached') && error.extra.limit).toBe(50);
    expect(isApiError(error, 'not_found')).toBe(false);
    expect(isApiError(new Error('limit_reached'), 'limit_reached')).toBe(false);
    expect(isApiError(null, 'limit_reached')).toBe(false);
  });
});

describe('notFound and invalidField', () => {
  it('are contract errors', () => {
    const body = { error: 'not_found', request_id: 'req_1' };
    expect(notFound(null).body('req_1')).toEqual({ ...body, message: errors.not_found.message, param: null });
    expect(notFound('inbox_id').body('req_1')).toEqual({
      ...body,
      message: 'Check `inbox_id`: there is nothing with this id that the caller can see.',
      param: 'inbox_id',
    });
    expect(invalidField('to.0', 'is no address').extra).toEqual({
      issues: [{ path: 'to.0', message: 'is no address' }],
    });
  });
});
