import type { Access, Postrider } from 'postrider';
import type { InboxScope } from './inbox-scope.ts';

/** The rights that people gave the API key, as far as they decide which tools there are. */
export interface KeyPermissions {
  access: Access;
  sends: boolean;
  /** Whether a policy limits what it sends, so that it sets up no other way out. */
  held: boolean;
}

/** With more inboxes, those that send nothing are not told from the others. */
const inboxesAskedMax = 10;
/** The server answers this within milliseconds. If it does not, a list of tools must not wait for it. */
const request = { maxRetries: 0, timeout: 5_000 };

/** Asks the server what people allow the API key to do. */
export class KeyAccess {
  readonly #client: Postrider;
  readonly #scope: InboxScope;
  readonly #listeners = new Set<() => void>();
  #known: KeyPermissions = { access: 'workspace', sends: true, held: false };

  constructor(client: Postrider, scope: InboxScope) {
    this.#client = client;
    this.#scope = scope;
  }

  /** The rights of the last look at the server; everything before the first look. */
  get known(): KeyPermissions {
    return this.#known;
  }

  /** Returns what is allowed now, or what was allowed last if the server cannot be asked. */
  async refresh(): Promise<KeyPermissions> {
    const before = this.#known;
    try {
      this.#known = await this.#ask();
    } catch {
      // Every call is checked by the server, whatever is listed.
    }
    const { access, sends, held } = this.#known;
    if (access !== before.access || sends !== before.sends || held !== before.held)
      for (const tell of this.#listeners) tell();
    return this.#known;
  }

  /** Looks again after a refusal, if somebody wants to hear of changes. */
  suspect(): void {
    if (this.#listeners.size > 0) this.refresh();
  }

  /** Calls `tell` after each change, and looks for one this often, until the signal is aborted. */
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
    // The access is that of the key, whatever the inbox.
    const access = policies[0]?.access ?? 'workspace';
    const held = policies.some(({ send, recipients }) => send !== 'allow' || recipients !== 'anyone');
    return { access, sends: !policies.every(({ send }) => send === 'never'), held };
  }
}
