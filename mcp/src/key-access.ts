import type { Access, Postrider } from 'postrider';
import type { InboxScope } from './inbox-scope.ts';

/** The rights of the API key that decide which tools are listed. */
export interface KeyPermissions {
  access: Access;
  sends: boolean;
  /** Whether a policy limits what the key sends. If so, the key cannot set up other ways to send data out. */
  held: boolean;
}

/** With more inboxes, the lookup does not check which of them cannot send. */
const inboxesAskedMax = 10;
/** The server normally responds within milliseconds. If it does not, the list of tools must not wait for it. */
const request = { maxRetries: 0, timeout: 5_000 };

/** Asks the server what the API key is allowed to do. */
export class KeyAccess {
  readonly #client: Postrider;
  readonly #scope: InboxScope;
  readonly #listeners = new Set<() => void>();
  #known: KeyPermissions = { access: 'workspace', sends: true, held: false };

  constructor(client: Postrider, scope: InboxScope) {
    this.#client = client;
    this.#scope = scope;
  }

  /** The rights that the server last reported; everything is allowed before the first report. */
  get known(): KeyPermissions {
    return this.#known;
  }

  /** Returns the current rights, or the last known ones if the server cannot be reached. */
  async refresh(): Promise<KeyPermissions> {
    const before = this.#known;
    try {
      this.#known = await this.#ask();
    } catch {
      // The server checks every call, whatever is listed.
    }
    const { access, sends, held } = this.#known;
    if (access !== before.access || sends !== before.sends || held !== before.held)
      for (const tell of this.#listeners) tell();
    return this.#known;
  }

  /** Checks again after a refusal, if a client has subscribed to changes. */
  suspect(): void {
    if (this.#listeners.size > 0) this.refresh();
  }

  /** Checks for changes at this interval, and calls `tell` after each one, until the signal is aborted. */
  watch(everyMs: number, signal: AbortSignal, tell: () => void): void {
    this.#listeners.add(tell);
    const timer = setInterval(() => this.refresh(), everyMs).unref();
    signal.addEventListener('abort', () => {
      clearInterval(timer);
      this.#listeners.delete(tell);
    });
  }

  async #ask(): Promise<KeyPermissions> {
    const ids = await this.#scope.ids();
    const inboxes = ids === null || ids.length > inboxesAskedMax ? [undefined] : ids;
    const get = (inbox_id: string | undefined) => this.#client.policy.get({ inbox_id }, request);
    const policies = await Promise.all(inboxes.map(get));
    // The access belongs to the key and does not depend on the inbox.
    const access = policies[0]?.access ?? 'workspace';
    const held = policies.some(({ send, recipients }) => send !== 'allow' || recipients !== 'anyone');
    return { access, sends: !policies.every(({ send }) => send === 'never'), held };
  }
}
