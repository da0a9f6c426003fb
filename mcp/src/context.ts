import type { Postrider } from 'postrider';
import type { InboxScope } from './inbox-scope.ts';
import type { KeyAccess } from './key-access.ts';
import type { Signer } from './reading/sign-cursor.ts';
import type { Settings } from './settings.ts';
import type { Fence } from './untrusted/fence.ts';

/** The state that all calls of one server share. */
export interface ServerContext {
  /** Calls the API with the key of the person who runs the server. */
  client: Postrider;
  settings: Settings;
  /** The inboxes that the tools may use. */
  scope: InboxScope;
  /** The rights that people gave the key. */
  access: KeyAccess;
  /** Signs cursors, which come back from a client. */
  signer: Signer;
}

/** The state of one call of a tool. */
export interface CallContext extends ServerContext {
  fence: Fence;
  /** Aborted when the client cancels the call or disconnects. */
  signal: AbortSignal;
  /** Tells the client that the call is still running. */
  reportProgress(done: number, total: number, message: string): Promise<void>;
  /** Adds a sentence about the result for the model, for example that another id was used in place of the given one. */
  note(sentence: string): void;
}
