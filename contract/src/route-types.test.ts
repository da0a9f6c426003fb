import type { ClientInferRequest, ServerInferRequest, ServerInferResponses } from '@ts-rest/core';
import { describe, expect, expectTypeOf, it } from 'vitest';
import {
  contract,
  type ErrorBody,
  type ErrorExtra,
  type Event,
  type Message,
  type SendMessage,
} from './index.ts';

type Routes = typeof contract;

describe('types that come out of the contract', () => {
  it('gives handlers the parsed body, query and path', () => {
    expectTypeOf<ServerInferRequest<Routes['messages']['send']>['body']>().toEqualTypeOf<SendMessage>();
    expectTypeOf<ServerInferRequest<Routes['messages']['list']>['query']['limit']>().toEqualTypeOf<number>();
    expectTypeOf<ServerInferRequest<Routes['messages']['list']>['query']['has_attachment']>().toEqualTypeOf<
      boolean | undefined
    >();
    expectTypeOf<ServerInferRequest<Routes['inboxes']['get']>['params']>().toEqualTypeOf<{ id: string }>();
    expectTypeOf<ServerInferRequest<Routes['suppressions']['delete']>['params']>().toEqualTypeOf<{
      address: string;
    }>();
    expectTypeOf<ServerInferRequest<Routes['drafts']['send']>['body']>().not.toBeAny();
  });

  it('knows every path with its version prefix', () => {
    expectTypeOf<
      Routes['webhooks']['rotateSecret']['path']
    >().toEqualTypeOf<'/v1/webhooks/:id/rotate-secret'>();
    expect(contract.webhooks.rotateSecret.path).toBe('/v1/webhooks/:id/rotate-secret');
  });

  it('lets handlers answer only what the route declares', () => {
    type Answer = ServerInferResponses<Routes['inboxes']['create']>;
    const envelope = { message: 'text', request_id: 'req_1' };
    const taken: Answer = { status: 409, body: { error: 'address_taken', reason: 'reserved', ...envelope } };
    const full: Answer = {
      status: 402,
      body: { error: 'inbox_limit_reached', upgrade: true, limit: 5, ...envelope },
    };
    // @ts-expect-error the code belongs to other routes
    const foreign: Answer = { status: 409, body: { error: 'label_name_taken', ...envelope } };
    // @ts-expect-error the code has another status
    const misplaced: Answer = { status: 404, body: { error: 'address_taken', reason: 'held', ...envelope } };
    // @ts-expect-error the extra fields of the code are missing
    const bare: Answer = { status: 402, body: { error: 'inbox_limit_reached', ...envelope } };
    // @ts-expect-error the status is declared by no route
    const teapot: Answer = { status: 418, body: undefined };
    // @ts-expect-error the answer lacks fields
    const partial: Answer = { status: 201, body: { id: 'inb_1' } };
    expect([taken, full, foreign, misplaced, bare, teapot, partial]).toHaveLength(7);
  });

  it('gives errors their extra fields by code', () => {
    expectTypeOf<ErrorExtra<'cursor_expired'>>().toEqualTypeOf<{ oldest: string | null }>();
    expectTypeOf<ErrorExtra<'rate_limited'>['reason']>().toEqualTypeOf<'requests' | 'loop' | 'policy'>();
    const read = (body: ErrorBody) => (body.error === 'message_rejected' ? body.reason : null);
    expectTypeOf(read).returns.toEqualTypeOf<string | null>();
    // @ts-expect-error not every error has a limit
    const careless = (body: ErrorBody) => body.limit;
    expect(careless).toBeTypeOf('function');
  });

  it('narrows events by their kind', () => {
    const read = (event: Event) => (event.event === 'message.bounced' ? event.bounce.type : null);
    expectTypeOf(read).returns.toEqualTypeOf<'hard' | 'soft' | null>();
    expectTypeOf<Event['message']>().toEqualTypeOf<Message | null>();
    // @ts-expect-error only bounces have it
    const careless = (event: Event) => event.bounce;
    expect(careless).toBeTypeOf('function');
  });

  it('asks callers for what is required', () => {
    type Send = ClientInferRequest<Routes['messages']['send']>['body'];
    const least: Send = { inbox_id: 'inb_1', to: ['ada@example.com'], subject: 'Hello' };
    // @ts-expect-error subject is missing
    const tooLittle: Send = { inbox_id: 'inb_1', to: ['ada@example.com'] };
    // @ts-expect-error there is no such field
    const unknown: Send = { ...least, cco: [] };
    expect([least, tooLittle, unknown]).toHaveLength(3);
  });
});
