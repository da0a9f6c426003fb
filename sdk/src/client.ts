import type { APIPromise } from './calls/api-promise.ts';
import { Caller } from './calls/call.ts';
import type { RequestOptions } from './calls/request.ts';
import { type ClientOptions, callSettings } from './client-options.ts';
import { AccountResource } from './resources/account.ts';
import { Attachments } from './resources/attachments.ts';
import { Deliveries } from './resources/deliveries.ts';
import { Domains } from './resources/domains.ts';
import { Drafts } from './resources/drafts.ts';
import { Events } from './resources/events.ts';
import { Inboxes } from './resources/inboxes.ts';
import { Labels } from './resources/labels.ts';
import { Messages } from './resources/messages.ts';
import { PolicyResource } from './resources/policy.ts';
import { Rules } from './resources/rules.ts';
import { Suppressions } from './resources/suppressions.ts';
import { Threads } from './resources/threads.ts';
import { Webhooks } from './resources/webhooks.ts';

/** The parameters of `client.request` besides the method and the path. */
export interface RequestParams extends RequestOptions {
  query?: Record<string, unknown> | undefined;
  /** Sent as JSON. */
  body?: object | undefined;
}

/** The client of the API. Its fields are the resources, and their methods make the calls. */
export class Postrider {
  /** Addresses that send and receive mail. */
  readonly inboxes: Inboxes;
  /** Received and sent mail. */
  readonly messages: Messages;
  /** Conversations within one inbox. */
  readonly threads: Threads;
  /** Files of messages. */
  readonly attachments: Attachments;
  /** Labels of messages. */
  readonly labels: Labels;
  /** Entries of the allow and block lists. */
  readonly rules: Rules;
  /** Addresses that the workspace no longer sends to. */
  readonly suppressions: Suppressions;
  /** Messages to send later, on request or at a scheduled time. */
  readonly drafts: Drafts;
  /** Sending domains of the workspace. */
  readonly domains: Domains;
  /** The event log of the workspace, in a fixed order. */
  readonly events: Events;
  /** Your endpoints that receive events. */
  readonly webhooks: Webhooks;
  /** Deliveries of events to webhooks. */
  readonly deliveries: Deliveries;
  /** The workspace of the API key. */
  readonly account: AccountResource;
  /** The sending policy of the API key. */
  readonly policy: PolicyResource;

  readonly #options: ClientOptions;
  readonly #caller: Caller;

  /**
   * Creates a client. Options that are left out come from the environment or have defaults. Throws a
   * `PostriderError` if the API key is missing, or if an option is unknown or invalid.
   *
   * @example
   * const client = new Postrider({ apiKey: process.env.MY_API_KEY, timeout: 10_000 });
   */
  constructor(options: ClientOptions = {}) {
    const caller = new Caller(callSettings(options), clientBases.get(options));
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
    this.policy = new PolicyResource(caller);
  }

  /**
   * Returns a new client with the given options in place of this client's own, such as another `timeout`. The
   * waits and streams of each client take the calls of the other into account.
   *
   * @example
   * const patient = client.withOptions({ timeout: 120_000, maxRetries: 5 });
   * await patient.messages.send({ inbox_id: inbox.id, to: ['ada@example.com'], subject: 'Hi', text: 'Hello!' });
   */
  withOptions(options: ClientOptions): Postrider {
    const merged = { ...this.#options, ...options };
    clientBases.set(merged, this.#caller);
    return new Postrider(merged);
  }

  /**
   * Calls an endpoint that this client has no method for, with the key, retries and errors of the client. A
   * POST is retried only if the server did nothing. Throws a `PostriderError` if the method is unknown or the
   * path is invalid.
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

/** Maps the options of a derived client to the caller of the client that it was derived from. */
const clientBases = new WeakMap<ClientOptions, Caller>();
