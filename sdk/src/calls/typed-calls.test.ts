import { describe, expectTypeOf, it } from 'vitest';
import * as sdk from '../index.ts';

const api = new sdk.Postrider({ apiKey: 'pr_test_key' });
type Of<Method extends (...args: never[]) => unknown> = Awaited<ReturnType<Method>>;

describe('errors', () => {
  it('narrow by their code to its fields', () => {
    const read = (error: unknown) => {
      if (!(error instanceof sdk.APIError)) return null;
      // @ts-expect-error only some codes come with it
      error.blocked;
      expectTypeOf(error.requestId).toEqualTypeOf<string | null>();
      if (error.code === 'no_deliverable_recipients') {
        expectTypeOf(error.blocked).toEqualTypeOf<sdk.DroppedRecipient[]>();
        expectTypeOf(error.status).toEqualTypeOf<422>();
      }
      if (error.code === 'rate_limited') expectTypeOf(error.retry_after_seconds).toBeNumber();
      if (error.code === 'invalid_request') expectTypeOf(error.issues).toEqualTypeOf<sdk.Issue[]>();
      if (error.code === 'cursor_expired') expectTypeOf(error.oldest).toEqualTypeOf<string | null>();
      // @ts-expect-error no error has this code
      return error.code === 'nonsense';
    };
    expectTypeOf(read).returns.toEqualTypeOf<boolean | null>();
  });

  it('of one status have only the codes of that status', () => {
    type Code = sdk.ConflictError['code'];
    expectTypeOf<'address_taken'>().toExtend<Code>();
    expectTypeOf<'not_found'>().not.toExtend<Code>();
    expectTypeOf<sdk.NotFoundError['code']>().toEqualTypeOf<'not_found' | 'unexpected_answer'>();
    expectTypeOf<sdk.APIError<'storage_limit_reached'>['limit_bytes']>().toBeNumber();
    expectTypeOf<sdk.APIError>().toExtend<sdk.PostriderError>();
  });

  it('of a route can be named', () => {
    expectTypeOf<'address_taken'>().toExtend<sdk.RouteErrorCodes['inboxes.create']>();
    expectTypeOf<sdk.RouteErrorCodes['inboxes.get']>().toBeNever();
    expectTypeOf<'rate_limited'>().toExtend<sdk.CommonErrorCode>();
  });
});

describe('calls', () => {
  it('give what the contract answers', () => {
    expectTypeOf<Of<typeof api.inboxes.create>>().toEqualTypeOf<sdk.Inbox>();
    expectTypeOf<Of<typeof api.inboxes.delete>>().toEqualTypeOf<void>();
    expectTypeOf<Of<typeof api.messages.send>>().toEqualTypeOf<sdk.SendReceipt>();
    expectTypeOf<Of<typeof api.messages.waitFor>>().toEqualTypeOf<sdk.Message>();
    expectTypeOf<Of<typeof api.account.get>>().toEqualTypeOf<sdk.Account>();
    const answered = () => api.inboxes.get('inb_1').withResponse();
    expectTypeOf<Of<typeof answered>>().toEqualTypeOf<sdk.Answered<sdk.Inbox>>();
  });

  it('narrow events by the kinds that are asked for', () => {
    const bounced = () => api.events.stream({ events: ['message.bounced'] });
    type Bounced = ReturnType<typeof bounced> extends AsyncIterable<infer Item> ? Item : never;
    expectTypeOf<Bounced>().toEqualTypeOf<sdk.EventOf<'message.bounced'>>();
    const page = () => api.events.list({ events: ['message.bounced', 'message.sent'] });
    expectTypeOf<Of<typeof page>['events'][number]['event']>().toEqualTypeOf<
      'message.bounced' | 'message.sent'
    >();
    const all = () => api.events.stream();
    type Any = ReturnType<typeof all> extends AsyncIterable<infer Item> ? Item : never;
    expectTypeOf<Any>().toEqualTypeOf<sdk.Event>();
  });

  it('give pages of typed items', () => {
    type Messages = Of<typeof api.messages.list>;
    expectTypeOf<Messages['messages']>().toEqualTypeOf<sdk.ListedMessage[]>();
    expectTypeOf<Of<Messages['nextPage']>>().toEqualTypeOf<sdk.Page<sdk.MessagePage>>();
    async function* ids() {
      for await (const message of api.messages.list()) yield message.id;
      for await (const event of api.events.list()) yield event.event;
    }
    expectTypeOf(ids).returns.toExtend<AsyncGenerator<string>>();
    expectTypeOf<ReturnType<typeof api.rules.list>>().toEqualTypeOf<sdk.PagePromise<sdk.RulePage>>();
  });

  it('take what the contract takes, and undefined for what may be left out', () => {
    type Send = Parameters<typeof api.messages.send>[0];
    expectTypeOf<{ inbox_id: string; to: string[]; subject: string; cc: undefined }>().toExtend<Send>();
    expectTypeOf<{ inbox_id: string; to: string[] }>().not.toExtend<Send>();
    expectTypeOf<{ path: string }>().toExtend<sdk.AttachmentSource>();
    expectTypeOf<{ content: Buffer; filename: string }>().toExtend<sdk.AttachmentSource>();
    expectTypeOf<{ apiKey: string | undefined }>().toExtend<sdk.ClientOptions>();
    expectTypeOf<Console>().toExtend<sdk.Logger>();
  });

  it('tell events apart by their kind', () => {
    const recipient = (event: sdk.Event) => (event.event === 'message.bounced' ? event.bounce.type : null);
    expectTypeOf(recipient).returns.toEqualTypeOf<'hard' | 'soft' | null>();
  });
});
