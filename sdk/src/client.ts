import type { APIPromise } from './api-promise.ts';
import { Caller } from './call.ts';
import { type ClientOptions, settingsOf } from './client-options.ts';
import type { RequestOptions } from './request.ts';
import { AccountResource } from './resources/account.ts';
import { Attachments } from './resources/attachments.ts';
import { Deliveries } from './resources/deliveries.ts';
import { Domains } from './resources/domains.ts';
import { Drafts } from './resources/drafts.ts';
import { Events } from './resources/events.ts';
import { Inboxes } from './resources/inboxes.ts';
import { Labels } from './resources/labels.ts';
import { Messages } from './resources/messages.ts';
import { Rules } from './resources/rules.ts';
import { Suppressions } from './resources/suppressions.ts';
import { Threads } from './resources/threads.ts';
import { Webhooks } from './resources/webhooks.ts';

/** What `client.request` sends beside its method and path. */
export interface RequestParams extends RequestOptions {
  query?: Record<string, unknown> | undefined;
  /** Sent as JSON. */
  body?: object | undefined;
}

/** The client of the API: its fields are the resources, and their methods are the calls. */
export class Postrider {
  /** Addresses that send and receive mail. */
  readonly inboxes: Inboxes;
  /** Mail, received and sent. */
  readonly messages: Messages;
  /** Conversations within one inbox. */
  readonly threads: Threads;
  /** Files of messages. */
  readonly attachments: Attachments;
  /** Marks on messages. */
  readonly labels: Labels;
  /** Entries of the allow and block lists. */
  readonly rules: Rules;
  /** Addresses that are not sent to any more. */
  readonly suppressions: Suppressions;
  /** Messages that are sent later, by hand or at their time. */
  readonly drafts: Drafts;
  /** Sending domains of the workspace. */
  readonly domains: Domains;
  /** What happened, in one order for the workspace. */
  readonly events: Events;
  /** Endpoints of yours that receive events. */
  readonly webhooks: Webhooks;
  /** Posts of events to webhooks. */
  readonly deliveries: Deliveries;
  /** The workspace of the key. */
  readonly account: AccountResource;

  readonly #options: ClientOptions;
  readonly #caller: Caller;

  /**
   * Sets the client up; what `options` leave out comes from the environment. Throws a `PostriderError` without an API key, and for
   * an option that it does not know.
   *
   * @example
   * const client = new Postrider({ apiKey: process.env.MY_API_KEY, timeout: 10_000 });
   */
  constructor(options: ClientOptions = {}) {
    const caller = new Caller(settingsOf(options), basesOf.get(options));
    this.#options = options;
    this.#caller = caller;
    this.inboxes = new Inboxes(caller);
    this.messages = new Messages(caller);
    this.threads = new Threads(caller);
    this.attachments = new Attachments(caller);
    this.labels = new Labels(caller);
    this.rules = new Rules(caller);
    this.suppressions = new Suppressions(caller);
    this.drafts = new Drafts(caller);
    this.domains = new Domains(caller);
    this.events = new Events(caller);
    this.webhooks = new Webhooks(caller, options.webhookSecret);
    this.deliveries = new Deliveries(caller);
    this.account = new AccountResource(caller);
  }

  /**
   * Returns a client with these options in place of its own, such as another `timeout`. Waits and streams of both know of each
   * other's calls.
   *
   * @example
   * const patient = client.withOptions({ timeout: 120_000, maxRetries: 5 });
   * await patient.messages.send({ inbox_id: inbox.id, to: ['ada@example.com'], subject: 'Hi', text: 'Hello!' });
   */
  withOptions(options: ClientOptions): Postrider {
    const merged = { ...this.#options, ...options };
    basesOf.set(merged, this.#caller);
    return new Postrider(merged);
  }

  /**
   * Calls an endpoint that this client has no method for, with its key, retries and errors. A POST is not repeated.
   *
   * @example
   * const account = await client.request<{ plan: string }>('GET', '/account', { timeout: 5_000 });
   * console.log(account.plan);
   */
  request<Data = unknown>(
    method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE',
    path: string,
    { query, body, ...options }: RequestParams = {},
  ): APIPromise<Data> {
    return this.#caller.request<Data>(method, path, { query, body }, options);
  }
}

/** The caller of the client that options were made from. */
const basesOf = new WeakMap<ClientOptions, Caller>();
