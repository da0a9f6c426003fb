import type { Caller } from '../calls/call.ts';

/** The base class of all resources, with the caller of their routes. */
export class Resource {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }
}
