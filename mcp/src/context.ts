import type { Postrider } from 'postrider';
import type { InboxScope } from './inbox-scope.ts';
import type { KeyAccess } from './key-access.ts';
import type { Signer } from './reading/sign-cursor.ts';
import type { Settings } from './settings.ts';
import type { Fence } from './untrusted/fence.ts';

/** What all calls of one server share. */
export interface ServerContext {
  /** Calls the API with the key of the person who runs the server. */
  client: Postrider;
  settings: Settings;
  /** The inboxes that the tools may use. */
  scope: InboxScope;
  /** What people allow the key to do. */
  access: KeyAccess;
  /** Signs what comes back from a client. */
  signer: Signer;
}

/** What one call of a tool needs. */
export interface CallContext extends ServerContext {
  fence: Fence;
  /** Ends when the client cancels the call or is gone. */
  signal: AbortSignal;
  /** Tells the client that the call is still going on. */
  reportProgress(done: number, total: number, message: string): Promise<void>;
  /** Adds a sentence about the answer for the model, such as that an id was taken for another one. */
  note(sentence: string): void;
}
