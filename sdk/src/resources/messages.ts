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
import { Resource } from './resource.ts';

/** What `messages.send` and `messages.check` take. */
export type SendMessageParams = WithFiles<SendMessage>;
/** What `messages.reply` takes. */
export type ReplyToMessageParams = WithFiles<ReplyToMessage>;

/** Mail, received and sent. */
export class Messages extends Resource {
  /** Sends a message; a repeat with the same `client_id` gives the first one and sends nothing. */
  send(params: SendMessageParams, options?: RequestOptions): APIPromise<SendReceipt> {
    return this.caller.call('messages.send', { body: params }, options);
  }

  /** Lists messages, newest first; with `query` searches; with `wait_seconds` waits for the first one. */
  list(query?: ListMessages, options?: RequestOptions): PagePromise<MessagePage> {
    return this.caller.list('messages.list', { query }, options);
  }

  /** Gets a message with its whole bodies and fresh attachment links. */
  get(id: string, options?: RequestOptions): APIPromise<Message> {
    return this.caller.call('messages.get', { id }, options);
  }

  /** Changes labels, read mark and metadata of a message, all together or not at all. */
  update(id: string, params: UpdateMessage, options?: RequestOptions): APIPromise<Message> {
    return this.caller.call('messages.update', { id, body: params }, options);
  }

  /** Deletes a message at once, and its files in the background; its thread goes with its last message. */
  delete(id: string, options?: RequestOptions): APIPromise<void> {
    return this.caller.call('messages.delete', { id }, options);
  }

  /** Replies to a message; recipients, subject and threading come from the original. */
  reply(id: string, params: ReplyToMessageParams, options?: RequestOptions): APIPromise<SentMessage> {
    return this.caller.call('messages.reply', { id, body: params }, options);
  }

  /** Forwards a message, quoted and with its files, in its thread. */
  forward(id: string, params: ForwardMessage, options?: RequestOptions): APIPromise<SentMessage> {
    return this.caller.call('messages.forward', { id, body: params }, options);
  }

  /** Gets a link to the mail as it was received or sent, as an .eml file. */
  raw(id: string, options?: RequestOptions): APIPromise<RawMessage> {
    return this.caller.call('messages.raw', { id }, options);
  }

  /** Says who would get a message and who would be dropped, and sends nothing. */
  check(params: SendMessageParams, options?: RequestOptions): APIPromise<SendCheck> {
    return this.caller.call('messages.check', { body: params }, options);
  }

  /**
   * Waits for the first inbound message that matches and arrives after this call, or after `after`. It follows the event log, so
   * none is missed. Rejects with `WaitTimeoutError` after `timeout` milliseconds (default 60,000).
   */
  waitFor(params: WaitForMessage): Promise<Message> {
    return waitForMessage(this.caller, params);
  }

  /**
   * Waits for the reply to a message that was sent: the first inbound message in its thread that is not automatic, whether it
   * came already or is still to come.
   */
  waitForReply(sent: Pick<SendReceipt, 'id'>, options: WaitForReply = {}): Promise<Message> {
    return waitForReply(this.caller, sent, options);
  }

  /** Waits for a message with a one-time code, such as one to sign in with, and gives both. */
  waitForCode(params: WaitForCode): Promise<CodeFound> {
    return waitForCode(this.caller, params);
  }

  /** Waits for a message with a link that confirms or signs in, or that `match` accepts, and gives both. */
  waitForLink(params: WaitForLink): Promise<LinkFound> {
    return waitForLink(this.caller, params);
  }
}
