/*
 * Follows the inbound mail of a workspace without missing any. It first finds its place in the log, by a call
 * that all later calls of the client wait for. It then returns existing messages, if they are wanted, and
 * then the messages in the log after that place. The server decides which messages pass the filters.
 *
 * An email that the server has not parsed yet is returned twice: with its header alone, and again once it has been parsed. An event in the
 * log says when that is; these events are read only while there is such an email.
 */
import type { Caller } from '../calls/call.ts';
import { PostriderError } from '../errors.ts';
import type { Event, EventKind, ListMessages, Message } from '../generated/types.ts';
import { LogReader } from './log-reader.ts';
import {
  type After,
  fromCursor,
  isSince,
  listedFrom,
  type MailPlace,
  placeAt,
  toCursor,
} from './mail-place.ts';
import type { PersistentRequests } from './persistent-requests.ts';

/** The filters of `messages.list`, without those that make no sense for future mail. */
export type MailFilters = Omit<
  ListMessages,
  'after' | 'before' | 'query' | 'mode' | 'wait_seconds' | 'limit' | 'cursor' | 'direction'
>;

/** A message of the followed mail. */
export interface FollowedMail {
  message: Message;
  /** Whether it passes the filters. */
  passes: boolean;
  /** Whether the server has not parsed the mail yet. The message is then returned again, with text and files. */
  isUnread: boolean;
}

/** Other events that are followed in the same log. */
export interface LogWatch {
  kinds: EventKind[];
  /**
   * Called once all existing mail has been returned, and then after the mail of each part of the log, with the events of these kinds in it.
   * It can end the stream by throwing.
   */
  look(events: Event[]): Promise<void>;
}

const received = 'message.received';
const updated = 'message.updated';
const pageItems = 100;
/** This many milliseconds after the list was read, all its messages have their places in the log. */
const settledMs = 10_000;

/** Reads inbound mail from a place on, each message once. */
export class MailFollower {
  readonly #caller: Caller;
  readonly #filters: MailFilters;
  readonly #requests: PersistentRequests;
  readonly #place: MailPlace;
  readonly #wasRead: (id: string) => boolean;
  /** The time by which all listed messages have their places in the log; null before the list is read. */
  #settledAtMs: number | null = null;

  private constructor(
    caller: Caller,
    filters: MailFilters,
    requests: PersistentRequests,
    place: MailPlace,
    wasRead: (id: string) => boolean,
  ) {
    this.#caller = caller;
    this.#filters = filters;
    this.#requests = requests;
    this.#place = place;
    this.#wasRead = wasRead;
  }

  /** Creates a follower that begins at `after`. Default: after the newest event. */
  static async open(
    caller: Caller,
    filters: MailFilters,
    after: After | undefined,
    requests: PersistentRequests,
  ): Promise<MailFollower> {
    const make = (place: MailPlace, wasRead = (_id: string) => false) =>
      new MailFollower(caller, filters, requests, place, wasRead);
    if ('direction' in filters && filters.direction !== 'inbound' && filters.direction !== undefined) {
      throw new PostriderError(
        'Only inbound mail is followed; events.stream() reports the delivery of sent messages.',
      );
    }
    if (after === undefined || after === 'latest') {
      const wasRead = caller.read.upToNow();
      const event = await caller.newestEvent(requests);
      return make({ event, since: null, listed: null, given: new Set(), unread: new Set() }, wasRead);
    }
    const known = caller.read.placeBehind(after) ?? (typeof after === 'string' ? fromCursor(after) : null);
    if (known !== null) return make(known);
    const start = typeof after === 'object' && 'id' in after ? after.id : after;
    placeAt(start, null);
    return make(placeAt(start, await caller.newestEvent(requests)));
  }

  /** The place after the last message that was returned. */
  get cursor(): string {
    return toCursor(this.#place);
  }

  /** Returns all existing messages, oldest first. `follow` continues after them. */
  async there(): Promise<FollowedMail[]> {
    const mail: FollowedMail[] = [];
    for await (const one of this.#giveListed()) mail.push(one);
    for (let isAtEnd = false; !isAtEnd; ) {
      const before = this.#place.event;
      for await (const one of this.#readLog(0)) mail.push(one);
      isAtEnd = this.#place.event === before;
    }
    return mail;
  }

  /** Yields the messages, oldest first, without end. */
  async *follow(watch?: LogWatch): AsyncGenerator<FollowedMail, never, undefined> {
    yield* this.#giveListed();
    await watch?.look([]);
    for (;;) yield* this.#readLog(undefined, watch);
  }

  async *#giveListed(): AsyncGenerator<FollowedMail, void, undefined> {
    const place = this.#place;
    const from = place.listed;
    if (from !== null) {
      for (const { message, passes } of await this.#listFrom(from)) {
        if (!isSince(message, from) || place.given.has(message.id)) continue;
        place.listed = message.id;
        if (!isUnread(message)) place.given.add(message.id);
        yield this.#give(message, passes);
      }
      place.listed = null;
    } else if (this.#isFiltered() && this.#settledAtMs === null) {
      // The result is not used, but the request fails at once for an unknown thread or label.
      const query = { ...this.#filters, limit: 1 };
      await this.#requests.make((options) => this.#caller.call('messages.list', { query }, options));
    }
    this.#settledAtMs ??= performance.now() + settledMs;
  }

  /**
   * Returns the existing mail, oldest first. An email that the server has not parsed yet seems to have no
   * files, so that filter is left out of the list.
   */
  async #listFrom(from: string): Promise<Omit<FollowedMail, 'isUnread'>[]> {
    const after = listedFrom(from);
    const all = this.#filters.has_attachment ? await this.#list({ after, has_attachment: undefined }) : [];
    const passing = await this.#list({ after });
    const ids = new Set(passing.map(({ id }) => id));
    const unread = all.filter((message) => isUnread(message) && !ids.has(message.id));
    return [...unread, ...passing]
      .sort((one, other) => (one.id < other.id ? -1 : 1))
      .map((message) => ({ message, passes: ids.has(message.id) }));
  }

  async *#readLog(waitSeconds?: number, watch?: LogWatch): AsyncGenerator<FollowedMail, void, undefined> {
    const place = this.#place;
    const isSettled = performance.now() > (this.#settledAtMs ?? 0);
    const awaitsText = place.unread.size > 0;
    const kinds: EventKind[] = [
      received,
      ...(awaitsText ? ([updated] as const) : []),
      ...(watch?.kinds ?? []),
    ];
    const wanted = { events: kinds, inbox_id: this.#filters.inbox_id };
    const log = new LogReader(this.#caller, wanted, place.event, this.#requests);
    const events = await log.poll(waitSeconds);
    const fresh = events.flatMap((event) => (event.message && this.#isFresh(event) ? [event.message] : []));
    const passing = await this.#passing(fresh);
    for (const { id, event, message } of events) {
      place.event = id;
      if (message === null) continue;
      if (event === received) place.given.delete(message.id);
      if (!fresh.includes(message) || (event === updated && !place.unread.has(message.id))) continue;
      const mail = this.#give(message, passing?.has(message.id) ?? true, event === updated);
      yield mail;
      // The log is read again from here, including the event that says when the mail was parsed.
      if (mail.isUnread && !awaitsText) return;
    }
    place.event = log.after;
    if (isSettled && events.length < pageItems) {
      place.since = null;
      place.given.clear();
    }
    await watch?.look(events.filter(({ event }) => event !== received && event !== updated));
  }

  /** `isEnd` says that the server has finished with an email that it could not parse at first. */
  #give(message: Message, passes: boolean, isEnd = false): FollowedMail {
    const isAwaited = isUnread(message) && !isEnd;
    if (isAwaited) this.#place.unread.add(message.id);
    else this.#place.unread.delete(message.id);
    if (passes && !isAwaited) this.#caller.read.notePlace(message, this.cursor);
    return { message, passes, isUnread: isAwaited };
  }

  /** Returns whether an event is about mail that may be wanted: mail that has arrived, or that has been parsed later. */
  #isFresh(event: Event): boolean {
    if (event.event === received) return event.message !== null && this.#isWanted(event.message);
    return event.event === updated && (event.changed.length === 0 || event.changed.includes('body_text'));
  }

  #isWanted(message: Message): boolean {
    const { since, given } = this.#place;
    if (given.has(message.id) || this.#wasRead(message.id)) return false;
    return since === null || isSince(message, since);
  }

  /** Returns whether there are filters besides `inbox_id`, which the log applies already. */
  #isFiltered(): boolean {
    const { inbox_id: _, ...others } = this.#filters;
    return Object.values(others).some((value) => value !== undefined);
  }

  /** Returns the ids of the messages that pass the filters, or null if all do. */
  async #passing(messages: Message[]): Promise<Set<string> | null> {
    if (!this.#isFiltered() || messages.length === 0) return null;
    const times = messages.map((message) => Date.parse(message.created_at));
    const after = new Date(Math.min(...times)).toISOString();
    const before = new Date(Math.max(...times) + 1).toISOString();
    return new Set((await this.#list({ after, before })).map(({ id }) => id));
  }

  #list(params: ListMessages): Promise<Message[]> {
    const query = { ...this.#filters, direction: 'inbound', limit: pageItems, ...params };
    return this.#requests.make(async (options) => {
      const messages: Message[] = [];
      for await (const message of this.#caller.list('messages.list', { query }, options)) {
        messages.push(message);
      }
      return messages;
    });
  }
}

/** Returns whether the server has not parsed an email yet: its text is null, and named as cut. */
export function isUnread({ body_text, truncated }: Pick<Message, 'body_text' | 'truncated'>): boolean {
  return body_text === null && truncated.includes('body_text');
}
