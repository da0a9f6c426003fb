import type { APIPromise } from '../calls/api-promise.ts';
import { getOrCreateLabel } from '../calls/get-or-create.ts';
import type { PagePromise } from '../calls/page.ts';
import type { RequestOptions } from '../calls/request.ts';
import type { CreateLabel, Label, LabelMessage, LabelPage, ListLabels, Message } from '../generated/types.ts';
import { Resource } from './resource.ts';

/** Labels of messages. */
export class Labels extends Resource {
  /**
   * Creates a label and returns it. Throws an `APIError` with `label_name_taken` if the workspace has a label
   * with this name, ignoring case, or with `limit_reached`.
   *
   * @example
   * const urgent = await client.labels.create({ name: 'urgent', color: '#d33' });
   */
  create(params: CreateLabel, options?: RequestOptions): APIPromise<Label> {
    return this.caller.call('labels.create', { body: params }, options);
  }

  /**
   * Returns the label with this name, ignoring case, and creates it if the workspace has none. An existing
   * label keeps its color. Throws an `APIError` with `limit_reached`.
   *
   * @example
   * const urgent = await client.labels.getOrCreate({ name: 'urgent' });
   */
  getOrCreate(params: CreateLabel, options?: RequestOptions): APIPromise<Label> {
    return getOrCreateLabel(this.caller, params, options);
  }

  /**
   * Lists the labels of the workspace, sorted by name.
   *
   * @example
   * for await (const label of client.labels.list()) console.log(label.id, label.name);
   */
  list(query?: ListLabels, options?: RequestOptions): PagePromise<LabelPage> {
    return this.caller.list('labels.list', { query }, options);
  }

  /**
   * Deletes a label and removes it from all messages.
   *
   * @example
   * await client.labels.delete('lbl_01m7z2h4myefgtxva99ef6d5ws');
   */
  delete(id: string, options?: RequestOptions): APIPromise<void> {
    return this.caller.call('labels.delete', { id }, options);
  }

  /**
   * Assigns a label to a message and returns the message with all its labels. Throws an `APIError` with
   * `limit_reached` if the message has too many.
   *
   * @example
   * const labelled = await client.labels.assign('lbl_01m7z2h4myefgtxva99ef6d5ws', { message_id: message.id });
   * console.log(labelled.labels.map(({ name }) => name));
   */
  assign(id: string, params: LabelMessage, options?: RequestOptions): APIPromise<Message> {
    return this.caller.call('labels.assign', { id, body: params }, options);
  }

  /**
   * Removes a label from a message and returns the message with the labels that remain.
   *
   * @example
   * await client.labels.unassign('lbl_01m7z2h4myefgtxva99ef6d5ws', { message_id: message.id });
   */
  unassign(id: string, params: LabelMessage, options?: RequestOptions): APIPromise<Message> {
    return this.caller.call('labels.unassign', { id, body: params }, options);
  }
}
