import type { Caller } from '../calls/call.ts';

/** The base class of all resources, with the caller of their routes. */
export class Resource {
  /** @internal */
  protected readonly caller: Caller;

  /** @internal */
  constructor(caller: Caller) {
    this.caller = caller;
  }
}
