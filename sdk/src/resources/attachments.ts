import type { APIPromise } from '../api-promise.ts';
import type { Attachment } from '../generated/types.ts';
import type { RequestOptions } from '../request.ts';
import { Resource } from './resource.ts';

/** Files of messages. */
export class Attachments extends Resource {
  /** Gets an attachment with a download link that works for 15 minutes from now. */
  get(id: string, options?: RequestOptions): APIPromise<Attachment> {
    return this.caller.call('attachments.get', { id }, options);
  }
}
