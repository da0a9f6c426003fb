import type { APIPromise } from '../api-promise.ts';
import type { WithFiles } from '../encode-attachments.ts';
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
import { type MessageStream, type StreamMessages, streamMessages } from '../message-stream.ts';
import type { PagePromise } from '../page.ts';
import type { RequestOptions } from '../request.ts';
import { type WaitForMessage, waitForMessage } from '../wait-for-message.ts';
import { type WaitForReply, waitForReply } from '../wait-for-reply.ts';
import {
  type CodeFound,
  type LinkFound,
  type WaitForCode,
  type WaitForLink,
  waitForCode,
  waitForLink,
} from '../wait-for-secret.ts';
import type { WaitLimits } from '../wait-time.ts';
import { Resource } from './resource.ts';

/** What `messages.send` and `messages.check` take. */
export type SendMessageParams = WithFiles<SendMessage>;
/** What `messages.reply` takes. */
export type ReplyToMessageParams = WithFiles<ReplyToMessage>;

/** Mail, received and sent. */
export class Messages extends Resource {
  /**
   * Sends a message; a repeat with the same `client_id` gives the first one and sends nothing.
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
   * Lists messages, newest first; with `query` searches; with `wait_seconds` waits for the first one.
   *
   * @example
   * for await (const { subject, from_addr } of client.messages.list({ inbox_id: inbox.id, from: 'example.com' }))
   *   console.log(from_addr, subject);
   */
  list(query?: ListMessages, options?: RequestOptions): PagePromise<MessagePage> {
    return this.caller.list('messages.list', { query }, options);
  }

  /**
   * Gets a message with its whole bodies and fresh attachment links.
   *
   * @example
   * const { extracted_text, attachments } = await client.messages.get(message.id);
   * console.log(extracted_text, attachments.map(({ filename }) => filename));
   */
  get(id: string, options?: RequestOptions): APIPromise<Message> {
    return this.caller.call('messages.get', { id }, options);
  }

  /**
   * Changes labels, read mark and metadata of a message, all together or not at all.
   *
   * @example
   * await client.messages.update(message.id, { read: true, add_labels: ['done'], metadata: { ticket: '4711' } });
   */
  update(id: string, params: UpdateMessage, options?: RequestOptions): APIPromise<Message> {
    return this.caller.call('messages.update', { id, body: params }, options);
  }

  /**
   * Deletes a message at once, and its files in the background; its thread goes with its last message.
   *
   * @example
   * await client.messages.delete(message.id);
   */
  delete(id: string, options?: RequestOptions): APIPromise<void> {
    return this.caller.call('messages.delete', { id }, options);
  }

  /**
   * Replies to a message; recipients, subject and threading come from the original.
   *
   * @example
   * await client.messages.reply(message.id, { text: 'Thank you, we look into it.', reply_all: true });
   */
  reply(id: string, params: ReplyToMessageParams, options?: RequestOptions): APIPromise<SentMessage> {
    return this.caller.call('messages.reply', { id, body: params }, options);
  }

  /**
   * Forwards a message, quoted and with its files, in its thread.
   *
   * @example
   * await client.messages.forward(message.id, { to: ['colleague@example.com'], text: 'Can you take this?' });
   */
  forward(id: string, params: ForwardMessage, options?: RequestOptions): APIPromise<SentMessage> {
    return this.caller.call('messages.forward', { id, body: params }, options);
  }

  /**
   * Gets a link to the mail as it was received or sent, as an .eml file.
   *
   * @example
   * const { url } = await client.messages.raw(message.id);
   * const eml = await (await fetch(url)).text();
   */
  raw(id: string, options?: RequestOptions): APIPromise<RawMessage> {
    return this.caller.call('messages.raw', { id }, options);
  }

  /**
   * Says who would get a message and who would be dropped, and sends nothing.
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
   * Gives inbound messages as they arrive, each once, from this call on or from `after` on: the loop of an agent. It goes on over
   * lost connections. `cursor` is the place to go on from after a restart, so that nothing is lost or comes twice.
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
   * Waits for the first inbound message that matches and arrives after this call, or after `after`. **In a loop without `after`
   * it misses the mail that arrives between two calls: use `stream`, or pass the message before as `after`.** Rejects with
   * `WaitTimeoutError` after `timeout` milliseconds (default 60,000).
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
   * Waits for the reply to a message that was sent: the first inbound message in its thread that is not automatic, whether it
   * came already or is still to come.
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
   * Waits for a message with a one-time code, such as one to sign in with, and gives both. With `after`, the newest code that is
   * there already counts, since a newer one mostly makes the older ones void.
   *
   * @example
   * const { code } = await client.messages.waitForCode({ inbox_id: inbox.id, from: 'example.com' });
   * const other = await client.messages.waitForCode({ inbox_id: inbox.id, pattern: /PIN: (\w{6})/ });
   */
  waitForCode(params: WaitForCode, limits: WaitLimits = {}): Promise<CodeFound> {
    return waitForCode(this.caller, params, limits);
  }

  /**
   * Waits for a message with a link that confirms or signs in, or that `match` accepts, and gives both. The link is one over https,
   * or over http to this machine where the server is on this machine. With `after`, the newest that is there already counts.
   *
   * @example
   * const { url } = await client.messages.waitForLink({ inbox_id: inbox.id, match: /\/confirm\// });
   */
  waitForLink(params: WaitForLink, limits: WaitLimits = {}): Promise<LinkFound> {
    return waitForLink(this.caller, params, limits);
  }
}
