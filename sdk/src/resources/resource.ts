import type { Caller } from '../call.ts';

/** What all resources are made of: the caller of their routes. */
export class Resource {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }
}
