import type { APIPromise } from '../calls/api-promise.ts';
import type { WithFiles } from '../calls/encode-attachments.ts';
import type { PagePromise } from '../calls/page.ts';
import type { RequestOptions } from '../calls/request.ts';
import type {
  ForwardMessage,
  ListMessages,
  Message,
  MessagePage,
  RawMessage,
  ReplyToMessage,
  SendCheck,
  SendMessage,
  SendReceipt,
  SentMessage,
  UpdateMessage,
} from '../generated/types.ts';
import { type MessageStream, type StreamMessages, streamMessages } from '../streams/message-stream.ts';
import { waitForDelivery } from '../waits/wait-for-delivery.ts';
import { type WaitForMessage, waitForMessage } from '../waits/wait-for-message.ts';
import { type WaitForReply, waitForReply } from '../waits/wait-for-reply.ts';
import {
  type CodeFound,
  type LinkFound,
  type WaitForCode,
  type WaitForLink,
  waitForCode,
  waitForLink,
} from '../waits/wait-for-secret.ts';
import type { WaitLimits } from '../waits/wait-time.ts';
import { Resource } from './resource.ts';

/** The parameters of `messages.send` and `messages.check`. */
export type SendMessageParams = WithFiles<SendMessage>;
/** The parameters of `messages.reply`. */
export type ReplyToMessageParams = WithFiles<ReplyToMessage>;

/** Received and sent mail. */
export class Messages extends Resource {
  /**
   * Sends a message and returns its receipt. A repeat with the same `client_id` within 24 hours returns the
   * receipt of the first message and sends nothing. Suppressed and blocked recipients are left out and named
   * in `dropped`. Throws an `APIError` with `no_deliverable_recipients` if no recipient is left.
   *
   * @example
   * const sent = await client.messages.send({
   *   inbox_id: inbox.id,
   *   to: ['ada@example.com'],
   *   subject: 'Your invoice',
   *   text: 'It is attached.',
   *   attachments: [{ path: './invoice.pdf' }],
   * });
   * console.log(sent.id, sent.delivery_status, sent.dropped);
   */
  send(params: SendMessageParams, options?: RequestOptions): APIPromise<SendReceipt> {
    return this.caller.call('messages.send', { body: params }, options);
  }

  /**
   * Lists messages, newest first. With `query`, searches them, as `search` does. With `wait_seconds` (0 to 60), waits until
   * there is one.
   *
   * @example
   * for await (const { subject, from_addr } of client.messages.list({ inbox_id: inbox.id, from: 'example.com' }))
   *   console.log(from_addr, subject);
   */
  list(query?: ListMessages, options?: RequestOptions): PagePromise<MessagePage> {
    return this.caller.list('messages.list', { query }, options);
  }

  /**
   * Searches messages and returns them best first, each with its `score` and a `snippet` around what was
   * found. `mode` is `keyword` (default), `semantic` or `hybrid`; `mode_used` of the page says which one ran.
   * All filters of `list` can be given, too.
   *
   * @example
   * const page = await client.messages.search('invoice from:example.com', { inbox_id: inbox.id, mode: 'hybrid' });
   * console.log(page.mode_used, page.messages.map(({ score, snippet }) => `${score} ${snippet}`));
   */
  search(
    query: string,
    params: Omit<ListMessages, 'query'> = {},
    options?: RequestOptions,
  ): PagePromise<MessagePage> {
    return this.list({ ...params, query }, options);
  }

  /**
   * Returns a message with its complete bodies and fresh attachment links.
   *
   * @example
   * const { extracted_text, attachments } = await client.messages.get(message.id);
   * console.log(extracted_text, attachments.map(({ filename }) => filename));
   */
  get(id: string, options?: RequestOptions): APIPromise<Message> {
    return this.caller.call('messages.get', { id }, options);
  }

  /**
   * Changes the labels, read mark and metadata of a message, all together or not at all, and returns it.
   *
   * @example
   * await client.messages.update(message.id, { read: true, add_labels: ['done'], metadata: { ticket: '4711' } });
   */
  update(id: string, params: UpdateMessage, options?: RequestOptions): APIPromise<Message> {
    return this.caller.call('messages.update', { id, body: params }, options);
  }

  /**
   * Deletes a message at once, and its files in the background. A thread is deleted with its last message.
   *
   * @example
   * await client.messages.delete(message.id);
   */
  delete(id: string, options?: RequestOptions): APIPromise<void> {
    return this.caller.call('messages.delete', { id }, options);
  }

  /**
   * Replies to a message and returns the sent message. Recipients, subject and threading headers (RFC 5322,
   * 3.6.4) come from the original. Throws an `APIError` with `auto_reply_loop` if a machine sent the
   * original, unless `force` is set.
   *
   * @example
   * await client.messages.reply(message.id, { text: 'Thank you, we are looking into it.', reply_all: true });
   */
  reply(id: string, params: ReplyToMessageParams, options?: RequestOptions): APIPromise<SentMessage> {
    return this.caller.call('messages.reply', { id, body: params }, options);
  }

  /**
   * Forwards a message in its thread, quoted and with its files. Returns the sent message.
   *
   * @example
   * await client.messages.forward(message.id, { to: ['colleague@example.com'], text: 'Can you take this?' });
   */
  forward(id: string, params: ForwardMessage, options?: RequestOptions): APIPromise<SentMessage> {
    return this.caller.call('messages.forward', { id, body: params }, options);
  }

  /**
   * Returns a link to the mail as it was received or sent, as an .eml file.
   *
   * @example
   * const { url } = await client.messages.raw(message.id);
   * const eml = await (await fetch(url)).text();
   */
  raw(id: string, options?: RequestOptions): APIPromise<RawMessage> {
    return this.caller.call('messages.raw', { id }, options);
  }

  /**
   * Returns the recipients that would get a message and those that would be dropped. Sends nothing.
   *
   * @example
   * const { deliverable, dropped } = await client.messages.check({
   *   inbox_id: inbox.id,
   *   to: ['ada@example.com', 'gone@example.com'],
   *   subject: 'News',
   *   text: 'Hello!',
   * });
   * console.log(deliverable, dropped);
   */
  check(params: SendMessageParams, options?: RequestOptions): APIPromise<SendCheck> {
    return this.caller.call('messages.check', { body: params }, options);
  }

  /**
   * Returns a stream of inbound messages as they arrive, once each, starting with this call or at `after`. It is made for the loop of an
   * agent, and continues after lost connections. Store `cursor` and pass it as `after` after a restart, so that no message is lost or
   * repeated.
   *
   * @example
   * const stream = client.messages.stream({ inbox_id: inbox.id, after: await load() });
   * for await (const message of stream) {
   *   await client.messages.reply(message.id, { text: await answer(message) });
   *   await store(stream.cursor);
   * }
   */
  stream(params: StreamMessages = {}): MessageStream {
    return streamMessages(this.caller, params);
  }

  /**
   * Waits for the first inbound message that matches and arrives after this call, or after `after`, and
   * returns it. **In a loop without `after`, it misses mail that arrives between two calls. Use `stream`
   * instead, or pass the previous message as `after`. Do not pass its `created_at`, which would return the
   * same message again.** Rejects with a `WaitTimeoutError` after `timeout` milliseconds (default 60,000). With
   * `thread_id`, rejects with a `DeliveryFailedError` while the newest message of the thread, automatic replies
   * aside, is a sent one that failed for all of its recipients.
   *
   * @example
   * const mail = await client.messages.waitFor({
   *   inbox_id: inbox.id,
   *   from: 'example.com',
   *   match: ({ subject }) => subject.startsWith('Invoice'),
   *   timeout: 120_000,
   * });
   */
  waitFor(params: WaitForMessage, limits: WaitLimits = {}): Promise<Message> {
    return waitForMessage(this.caller, params, limits);
  }

  /**
   * Waits until a sent message has left, and returns it: no recipient is pending, and at least one is `sent` (the next server, such as a
   * relay, accepted it) or `delivered` (the recipient's server accepted it). This works the same in the sandbox and with any provider; most
   * relays never report a delivery. While a message is `held` for approval or `deferred`, the wait continues. Rejects with a
   * `DeliveryFailedError` once the message has failed for all of its recipients, for example because it bounced or was not approved, and
   * with a `WaitTimeoutError` as `waitFor` does. A bounce may still follow.
   *
   * @example
   * const sent = await client.messages.send({ inbox_id: inbox.id, to: ['ada@example.com'], subject: 'Lunch?', text: '?' });
   * const { recipients } = await client.messages.waitForDelivery(sent, { timeout: 600_000 });
   * console.log(recipients.map(({ address, status }) => `${address} ${status}`));
   */
  waitForDelivery(sent: Pick<SendReceipt, 'id'> | string, limits: WaitLimits = {}): Promise<Message> {
    return waitForDelivery(this.caller, sent, limits);
  }

  /**
   * Waits for the reply to a sent message and returns it: the first inbound message in its thread that is not automatic, even if it arrived
   * before the call. Rejects with a `DeliveryFailedError` once the message has failed for all of its recipients, for example because it
   * bounced or was not approved, and with a `WaitTimeoutError` as `waitFor` does. While a message is `held` or `deferred`, the wait
   * continues.
   *
   * @example
   * const sent = await client.messages.send({ inbox_id: inbox.id, to: ['ada@example.com'], subject: 'Lunch?', text: '?' });
   * const reply = await client.messages.waitForReply(sent, { timeout: 600_000 });
   * console.log(reply.extracted_text);
   */
  waitForReply(sent: Pick<SendReceipt, 'id'> | string, options: WaitForReply = {}): Promise<Message> {
    return waitForReply(this.caller, sent, options);
  }

  /**
   * Waits for a message with a one-time code, such as one for a sign-in, and returns both. With `after`,
   * earlier mail counts too, and the newest code is returned, because a new code usually makes the older ones
   * invalid. Rejects with a `WaitTimeoutError` as `waitFor` does.
   *
   * @example
   * const { code } = await client.messages.waitForCode({ inbox_id: inbox.id, from: 'example.com' });
   * const other = await client.messages.waitForCode({ inbox_id: inbox.id, pattern: /PIN: (\w{6})/ });
   */
  waitForCode(params: WaitForCode, limits: WaitLimits = {}): Promise<CodeFound> {
    return waitForCode(this.caller, params, limits);
  }

  /**
   * Waits for a message with a link for a confirmation or a sign-in, or a link that `match` accepts, and returns both. Without `match`, the
   * link must begin with `https:`, or lead to this machine if the server also runs on it. With `after`, earlier mail counts too, and the
   * newest link is returned. Rejects with a `WaitTimeoutError` as `waitFor` does.
   *
   * @example
   * const { url } = await client.messages.waitForLink({ inbox_id: inbox.id, match: /\/confirm\// });
   */
  waitForLink(params: WaitForLink, limits: WaitLimits = {}): Promise<LinkFound> {
    return waitForLink(this.caller, params, limits);
  }
}
