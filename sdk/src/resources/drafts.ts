import type { APIPromise } from '../calls/api-promise.ts';
import type { WithFiles } from '../calls/encode-attachments.ts';
import type { PagePromise } from '../calls/page.ts';
import type { RequestOptions } from '../calls/request.ts';
import type {
  CreateDraft,
  Draft,
  DraftPage,
  ListDrafts,
  SendDraft,
  SendReceipt,
  UpdateDraft,
} from '../generated/types.ts';
import { Resource } from './resource.ts';

/** The parameters of `drafts.create`. */
export type CreateDraftParams = WithFiles<CreateDraft>;
/** The parameters of `drafts.update`. */
export type UpdateDraftParams = WithFiles<UpdateDraft>;

/** Messages to send later, on request or at a scheduled time. */
export class Drafts extends Resource {
  /**
   * Creates a draft and returns it. With `scheduled_at`, it is sent at that time. Throws an `APIError` with
   * `limit_reached`, `storage_limit_reached` or `attachment_too_large` if it does not fit.
   *
   * @example
   * const draft = await client.drafts.create({
   *  inbox_id: inbox.id,
   *  to: ['ada@example.com'],
   *  subject: 'Reminder',
   *  text: 'The meeting is tomorrow.',
   *  scheduled_at: '2030-01-31T09:00:00Z',
   * });
   * console.log(draft.status); // scheduled
   */
  create(params: CreateDraftParams, options?: RequestOptions): APIPromise<Draft> {
    return this.caller.call('drafts.create', { body: params }, options);
  }

  /**
   * Lists drafts, newest first.
   *
   * @example
   * for await (const draft of client.drafts.list({ inbox_id: inbox.id, status: 'scheduled' }))
   *   console.log(draft.subject, draft.scheduled_at);
   */
  list(query?: ListDrafts, options?: RequestOptions): PagePromise<DraftPage> {
    return this.caller.list('drafts.list', { query }, options);
  }

  /**
   * Returns a draft.
   *
   * @example
   * const draft = await client.drafts.get('dft_01m7z2h4myefgtxva99ef6d5ws');
   * console.log(draft.to, draft.subject, draft.text);
   */
  get(id: string, options?: RequestOptions): APIPromise<Draft> {
    return this.caller.call('drafts.get', { id }, options);
  }

  /**
   * Changes a draft and returns it. Fields that are left out do not change. Throws an `APIError` with
   * `draft_already_sent` once it is being sent.
   *
   * @example
   * await client.drafts.update('dft_01m7z2h4myefgtxva99ef6d5ws', { subject: 'Reminder: tomorrow' });
   */
  update(id: string, params: UpdateDraftParams, options?: RequestOptions): APIPromise<Draft> {
    return this.caller.call('drafts.update', { id, body: params }, options);
  }

  /**
   * Deletes a draft. If it is scheduled, it is not sent. Throws an `APIError` with `draft_already_sent` while
   * it is being sent.
   *
   * @example
   * await client.drafts.delete('dft_01m7z2h4myefgtxva99ef6d5ws');
   */
  delete(id: string, options?: RequestOptions): APIPromise<void> {
    return this.caller.call('drafts.delete', { id }, options);
  }

  /**
   * Sends a draft now and returns its receipt, as `messages.send` does. Throws the errors of `messages.send`,
   * and an `APIError` with `draft_already_sent` if the draft was sent before, unless with the same
   * `client_id`.
   *
   * @example
   * const { id, dropped } = await client.drafts.send('dft_01m7z2h4myefgtxva99ef6d5ws');
   * console.log(id, dropped);
   */
  send(id: string, params: SendDraft = {}, options?: RequestOptions): APIPromise<SendReceipt> {
    return this.caller.call('drafts.send', { id, body: params }, options);
  }
}
