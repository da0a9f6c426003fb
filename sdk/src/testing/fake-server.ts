import { defaultBaseURL, testing } from '../generated/brand.ts';
import type { RouteAnswers, RouteName } from '../generated/routes.ts';
import { sampleAnswers } from '../generated/sample-answers.ts';
import type { Inbox, Message, UpdateMessage } from '../generated/types.ts';
import { FakeMailbox, newId } from './fake-mailbox.ts';
import { findIssues, findRoute } from './fake-routes.ts';

/** A request as a fake server received it. */
export interface FakeRequest {
  /** The client method that calls the route, such as `messages.send`. */
  route: RouteName;
  /** The id or the address in the path; empty if it has none. */
  id: string;
  query: URLSearchParams;
  /** The parsed body; undefined if there was none. */
  body: Record<string, unknown> | undefined;
  headers: Headers;
}

/** Returns the response of a fake server to a route, in place of the default one. */
export type FakeAnswer<Name extends RouteName> = (
  request: FakeRequest,
) => RouteAnswers[Name] | Response | Promise<RouteAnswers[Name] | Response>;

/** The options of a client that talks to a fake server. */
export interface FakeClientOptions {
  apiKey: string;
  baseURL: string;
  fetch: typeof globalThis.fetch;
}

/** The part of msw's `http` that is used here. */
export interface MswLike<Handler> {
  all(path: string, resolver: (info: { request: Request }) => Promise<Response>): Handler;
}

/**
 * A server for tests in this process, without a port or a database. It knows every route of the API, refuses
 * missing and unknown fields, and responds with the examples of the API. It keeps inboxes, and messages with
 * their labels, so lists, waits, streams and replies work. It has no mail provider: as
 * in the sandbox, mail is `sent` and goes nowhere, not even from one inbox to another.
 */
export class FakeServer {
  /** The requests that it received, in order. */
  readonly requests: FakeRequest[] = [];
  /** The inboxes that were created. */
  readonly inboxes: Inbox[] = [];
  readonly #mailbox = new FakeMailbox();
  readonly #answers = new Map<RouteName, FakeAnswer<RouteName>>();

  /** The options of a client that talks to this server. */
  get options(): FakeClientOptions {
    return { apiKey: testing.testKey, baseURL: defaultBaseURL, fetch: this.fetch };
  }

  /** The messages that were sent, including replies and forwards, in order. */
  get sent(): Message[] {
    return this.#mailbox.messages.filter(({ direction }) => direction === 'outbound');
  }

  /**
   * Makes a message arrive and returns it. Lists, waits and streams then return it, too. Fields that are left
   * out come from a sample.
   *
   * @example
   * import { FakeServer } from 'postrider/testing';
   *
   * const fake = new FakeServer();
   * fake.receive({ inbox_id: 'inb_01m7z2h4myefgtxva99ef6d5ws', subject: 'Lunch?', body_text: 'At noon?' });
   */
  receive(fields: Partial<Message> = {}): Message {
    const [inbox] = this.inboxes;
    const own = inbox === undefined ? {} : { inbox_id: inbox.id, to_addrs: [inbox.address] };
    return this.#mailbox.receive({ ...own, ...fields });
  }

  /**
   * Replaces the response of a route from now on with data, or with a `Response` such as an error.
   *
   * @example
   * import { FakeServer } from 'postrider/testing';
   *
   * const fake = new FakeServer();
   * fake.answer('messages.send', () => FakeServer.error(402, 'email_limit_reached', { upgrade: true, limit: 5_000 }));
   */
  answer<Name extends RouteName>(route: Name, give: FakeAnswer<Name>): void {
    this.#answers.set(route, give as FakeAnswer<RouteName>);
  }

  /**
   * Returns an error response as the API sends it.
   *
   * @example
   * import { FakeServer } from 'postrider/testing';
   *
   * const full = FakeServer.error(503, 'unavailable');
   */
  static error(status: number, code: string, extra: object = {}): Response {
    const body = {
      error: code,
      message: `The fake server responds with ${code}.`,
      request_id: 'req_fake',
      ...extra,
    };
    return Response.json(body, { status, headers: { 'x-request-id': 'req_fake' } });
  }

  /**
   * Returns handlers for msw, for a client that has no `fetch` of its own.
   *
   * @example
   * import { FakeServer } from 'postrider/testing';
   *
   * const fake = new FakeServer();
   * declare const http: import('postrider/testing').MswLike<object>; // import { http } from 'msw';
   * const handlers = fake.handlers(http); // setupServer(...handlers)
   */
  handlers<Handler>(http: MswLike<Handler>): Handler[] {
    return [http.all(`${defaultBaseURL}/*`, ({ request }) => this.fetch(request))];
  }

  /** Responds to a request. Serves as the `fetch` of a client. */
  readonly fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const asked = new Request(input, init);
    asked.signal.throwIfAborted();
    const request = await this.#read(asked);
    if (request instanceof Response) return request;
    this.requests.push(request);
    const own = this.#answers.get(request.route);
    const answer = own === undefined ? await this.#respond(request, asked.signal) : await own(request);
    if (answer instanceof Response) return answer;
    const headers = { 'x-request-id': 'req_fake' };
    const { status } = sampleAnswers[request.route];
    return status === 204
      ? new Response(null, { status, headers })
      : Response.json(answer, { status, headers });
  };

  async #read(asked: Request): Promise<FakeRequest | Response> {
    const { pathname, searchParams: query } = new URL(asked.url);
    const path = pathname.slice(new URL(defaultBaseURL).pathname.length);
    if (!asked.headers.get('authorization')?.startsWith('Bearer '))
      return FakeServer.error(401, 'invalid_token');
    const found = findRoute(asked.method, path);
    if (found === null) return FakeServer.error(404, 'not_found', { param: null });
    const text = await asked.text();
    let body: FakeRequest['body'];
    try {
      body = text === '' ? undefined : JSON.parse(text);
    } catch {
      return FakeServer.error(400, 'malformed_json');
    }
    const issues = findIssues(found.route, body);
    if (issues.length > 0) return FakeServer.error(400, 'invalid_request', { issues });
    return { ...found, query, body, headers: asked.headers };
  }

  async #respond(request: FakeRequest, signal: AbortSignal): Promise<unknown> {
    const { route, id, query, body = {} } = request;
    const sample = structuredClone(sampleAnswers[route].body);
    switch (route) {
      case 'inboxes.create':
        return this.#createInbox(body);
      case 'inboxes.list':
        return { inboxes: this.#listInboxes(query.get('address')), next_cursor: null };
      case 'inboxes.get':
      case 'inboxes.update':
        return this.#known(this.inboxes, id, body);
      case 'inboxes.delete': {
        const index = this.inboxes.findIndex((inbox) => inbox.id === id);
        return index < 0
          ? FakeServer.error(404, 'not_found', { param: 'id' })
          : void this.inboxes.splice(index, 1);
      }
      case 'events.list':
        return this.#mailbox.readLog(query, signal);
      case 'messages.list':
        return this.#mailbox.list(query, signal);
      case 'messages.get':
        return this.#known(this.#mailbox.messages, id, {});
      case 'messages.update':
        return (
          this.#mailbox.update(id, body as UpdateMessage) ??
          FakeServer.error(404, 'not_found', { param: 'id' })
        );
      case 'messages.send':
      case 'messages.reply':
      case 'messages.forward':
        return this.#send(request, sample);
      default:
        return sample;
    }
  }

  #createInbox(body: Record<string, unknown>): Inbox | Response {
    const local_part = String(body.local_part).toLowerCase();
    const address = `${local_part}@${testing.mailDomain}`;
    const taken = this.inboxes.find((inbox) => inbox.address === address);
    if (taken) return FakeServer.error(409, 'address_taken', { reason: 'taken', inbox_id: taken.id });
    const sample = structuredClone(sampleAnswers['inboxes.create'].body);
    const made = { ...sample, display_name: null, ...body, local_part, address, id: newId('inb') };
    const inbox: Inbox = { ...made, created_at: new Date().toISOString() };
    this.inboxes.push(inbox);
    return inbox;
  }

  #listInboxes(address: string | null): Inbox[] {
    return this.inboxes.filter((one) => address === null || one.address === address).reverse();
  }

  #known<Item extends { id: string }>(items: Item[], id: string, changes: object): Item | Response {
    const item = items.find((one) => one.id === id);
    if (item === undefined) return FakeServer.error(404, 'not_found', { param: 'id' });
    return structuredClone(Object.assign(item, changes));
  }

  #send({ route, id, body = {} }: FakeRequest, sample: unknown): unknown {
    const original = this.#mailbox.messages.find((message) => message.id === id);
    if (route !== 'messages.send' && original === undefined) {
      return FakeServer.error(404, 'not_found', { param: 'id' });
    }
    const inbox = this.inboxes.find((one) => one.id === (body.inbox_id ?? original?.inbox_id));
    const prefix = route === 'messages.reply' ? 'Re: ' : route === 'messages.forward' ? 'Fwd: ' : '';
    const to_addrs = [body.to ?? original?.from_addr ?? []].flat().map(String);
    const fields = {
      inbox_id: String(body.inbox_id ?? original?.inbox_id),
      from_addr: inbox?.address ?? original?.to_addrs[0] ?? `agent@${testing.mailDomain}`,
      from_name: inbox?.display_name ?? null,
      to_addrs,
      cc_addrs: [body.cc ?? []].flat().map(String),
      subject:
        body.subject === undefined
          ? prefix + original?.subject.replace(/^(?:Re|Fwd): /, '')
          : String(body.subject),
      body_text: body.text === undefined ? null : String(body.text),
      body_html: body.html === undefined ? null : String(body.html),
      in_reply_to: original?.message_id ?? null,
      references: original === undefined ? [] : [...original.references, original.message_id],
      client_id: body.client_id === undefined ? null : String(body.client_id),
      ...(original === undefined ? {} : { thread_id: original.thread_id }),
    };
    const others = [body.cc ?? [], body.bcc ?? []].flat().map(String);
    const message = this.#mailbox.send(fields, [...to_addrs, ...others].map(toAddress));
    // A receipt has fewer fields than a message.
    const answer = Object.entries({ ...Object(sample) }).map(([name, value]) => [
      name,
      name in message ? message[name as keyof Message] : value,
    ]);
    return Object.fromEntries(answer);
  }
}

/** Returns the address of a mailbox such as `Ada <ada@example.com>`. */
function toAddress(mailbox: string): string {
  return mailbox.replace(/^.*<(.*)>$/, '$1').toLowerCase();
}
