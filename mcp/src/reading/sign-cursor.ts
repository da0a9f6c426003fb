import { createHmac, timingSafeEqual } from 'node:crypto';
import { argsText } from '../args-text.ts';
import { ToolError } from '../tool-error.ts';

/** The owner of a cursor: it continues one tool, with the same arguments. */
export interface CursorScope {
  tool: string;
  args: Record<string, unknown>;
}

const macBytes = 16;
const digestCharacters = 27;
/** Arguments that may change from page to page. */
const free = new Set(['cursor', 'max_chars', 'limit']);

/** Signs cursors with the API key, so that a client or a mail cannot forge one or use one elsewhere. */
export class Signer {
  readonly #key: Buffer;

  constructor(secret: string) {
    this.#key = createHmac('sha256', secret).update('cursors of tools').digest();
  }

  /** Returns a cursor that contains a state. */
  sign(scope: CursorScope, state: unknown): string {
    const payload = Buffer.from(JSON.stringify(state));
    return Buffer.concat([this.#mac(scope, payload), payload]).toString('base64url');
  }

  /**
   * Returns the state of a cursor.
   *
   * @throws ToolError `invalid_request` if it was not made for this tool and these arguments.
   */
  read<State>(scope: CursorScope, cursor: string): State {
    const bytes = Buffer.from(cursor, 'base64url');
    const [mac, payload] = [bytes.subarray(0, macBytes), bytes.subarray(macBytes)];
    if (mac.length < macBytes || !timingSafeEqual(mac, this.#mac(scope, payload))) throw strangeCursor();
    return JSON.parse(payload.toString()) as State;
  }

  /** Returns a short text that stands for a longer one and is different for each key. */
  digest(text: string): string {
    return createHmac('sha256', this.#key)
      .update(`digest\n${text}`)
      .digest('base64url')
      .slice(0, digestCharacters);
  }

  #mac({ tool, args }: CursorScope, payload: Buffer): Buffer {
    const bound = Object.fromEntries(Object.entries(args).filter(([name]) => !free.has(name)));
    const hmac = createHmac('sha256', this.#key)
      .update(`${tool}\n${argsText(bound)}\n`)
      .update(payload);
    return hmac.digest().subarray(0, macBytes);
  }
}

/** Returns the error for a cursor that belongs elsewhere. */
export function strangeCursor(): ToolError {
  return new ToolError(
    'invalid_request',
    'cursor: was not returned by this tool for these arguments.',
    'Pass the cursor unchanged, with the same other arguments as before, or leave it out to start again.',
  );
}
