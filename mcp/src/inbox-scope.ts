import type { Postrider } from 'postrider';
import { ToolError } from './tool-error.ts';

/** The inboxes that the tools can use. For the tools, no others exist. */
export class InboxScope {
  readonly #client: Postrider;
  readonly #named: string[] | null;
  #ids: Promise<string[]> | null = null;

  /** `named` are ids and addresses; null for all inboxes. */
  constructor(client: Postrider, named: string[] | null) {
    this.#client = client;
    this.#named = named;
  }

  /** Returns the ids of the inboxes; null for all. */
  async ids(): Promise<string[] | null> {
    if (this.#named === null) return null;
    this.#ids ??= this.#resolve(this.#named);
    try {
      return await this.#ids;
    } catch (error) {
      // An inbox with this address may be created later.
      this.#ids = null;
      throw error;
    }
  }

  /** Returns whether the tools may use an inbox. */
  async has(inboxId: string): Promise<boolean> {
    const ids = await this.ids();
    return ids === null || ids.includes(inboxId);
  }

  /** Throws `not_found` if something belongs to another inbox, as if it did not exist. */
  async check(inboxId: string, what: string): Promise<void> {
    if (await this.has(inboxId)) return;
    throw new ToolError(
      'not_found',
      `There is no ${what} with this id.`,
      'Use list_inboxes to see the inboxes that you can use.',
    );
  }

  #resolve(named: string[]): Promise<string[]> {
    const findId = async (name: string) => {
      if (!name.includes('@')) return name;
      const { inboxes } = await this.#client.inboxes.list({ address: name });
      if (inboxes[0] !== undefined) return inboxes[0].id;
      throw new ToolError(
        'not_found',
        `This server may use the inbox ${name}, which does not exist.`,
        'Tell the person who runs it.',
      );
    };
    return Promise.all(named.map(findId));
  }
}
