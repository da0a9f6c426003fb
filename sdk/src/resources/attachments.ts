import type { APIPromise } from '../calls/api-promise.ts';
import type { RequestOptions } from '../calls/request.ts';
import type { Attachment } from '../generated/types.ts';
import { Resource } from './resource.ts';

/** Files of messages. */
export class Attachments extends Resource {
  /**
   * Returns an attachment with a download link that works for 15 minutes.
   *
   * @example
   * const { url, filename } = await client.attachments.get(message.attachments[0]!.id);
   * console.log(filename, url); // works without a key for 15 minutes
   */
  get(id: string, options?: RequestOptions): APIPromise<Attachment> {
    return this.caller.call('attachments.get', { id }, options);
  }

  /**
   * Returns the bytes of an attachment. Takes its id, or the attachment as it is in a message.
   *
   * @example
   * import { writeFile } from 'node:fs/promises';
   *
   * for (const file of message.attachments) await writeFile(`./${file.id}`, await client.attachments.download(file));
   */
  download(
    attachment: Pick<Attachment, 'id'> | string,
    options?: RequestOptions,
  ): APIPromise<Uint8Array<ArrayBuffer>> {
    const id = typeof attachment === 'string' ? attachment : Object(attachment).id;
    return this.caller.download(id, options);
  }
}
