import type { APIPromise } from '../calls/api-promise.ts';
import type { PagePromise } from '../calls/page.ts';
import type { RequestOptions } from '../calls/request.ts';
import type { Approval, Control, DecideForPeople } from '../generated/management.ts';
import type { EffectivePolicy } from '../generated/types.ts';
import { type AnswerOf, type BodyOf, ManagementResource, type QueryOf } from './resource.ts';

/** Policies, pauses, and whether recipients are told that an AI wrote a message. */
export class ControlResource extends ManagementResource {
  /**
   * Returns the settings of the whole workspace, with all active pauses.
   *
   * @example
   * const { policy, pauses } = await manager.control.get();
   * console.log(policy?.lines.send, pauses.length);
   */
  get(options?: RequestOptions): APIPromise<Control> {
    return this.call('control.get', {}, options);
  }

  /**
   * Sets whether recipients are told that an AI wrote a message.
   *
   * @example
   * await manager.control.setDisclosure({ disclosure: 'footer' });
   */
  setDisclosure(
    params: BodyOf<'control.setDisclosure'>,
    options?: RequestOptions,
  ): APIPromise<AnswerOf<'control.setDisclosure'>> {
    return this.call('control.setDisclosure', { body: params }, options);
  }

  /**
   * Lists the policies of inboxes and keys, the most recently changed first.
   *
   * @example
   * for await (const { name, lines } of manager.control.policies()) console.log(name, lines);
   */
  policies(
    query?: QueryOf<'control.policies'>,
    options?: RequestOptions,
  ): PagePromise<AnswerOf<'control.policies'>> {
    return this.listPages('control.policies', query, options);
  }

  /**
   * Returns the policy that applies to mail that a key sends from an inbox: for each setting, the strictest value.
   *
   * @example
   * const { send, per_day } = await manager.control.effective({ inbox_id: inbox.id });
   * console.log(send, per_day);
   */
  effective(query?: QueryOf<'control.effective'>, options?: RequestOptions): APIPromise<EffectivePolicy> {
    return this.call('control.effective', { query }, options);
  }

  /**
   * Sets the policy of a key, an inbox or the workspace, and replaces the previous one.
   *
   * @example
   * await manager.control.setPolicy('inbox', inbox.id, { lines: { send: 'approve', per_day: 100 } });
   */
  setPolicy(
    level: 'key' | 'inbox' | 'workspace',
    id: string,
    params: BodyOf<'control.setPolicy'>,
    options?: RequestOptions,
  ): APIPromise<AnswerOf<'control.setPolicy'>> {
    return this.call('control.setPolicy', { params: { level, id }, body: params }, options);
  }

  /**
   * Pauses everything that a key, an inbox or the workspace sends. Resolves once nothing more is handed to a relay.
   *
   * @example
   * await manager.control.pause({ level: 'inbox', subject_id: inbox.id, reason: 'It writes nonsense' });
   */
  pause(params: BodyOf<'control.pause'>, options?: RequestOptions): APIPromise<AnswerOf<'control.pause'>> {
    return this.call('control.pause', { body: params }, options);
  }

  /**
   * Ends a pause. Waiting mail is sent, unless it has expired.
   *
   * @example
   * const { resumed } = await manager.control.resume({ level: 'inbox', subject_id: inbox.id });
   * console.log(resumed);
   */
  resume(params: BodyOf<'control.resume'>, options?: RequestOptions): APIPromise<AnswerOf<'control.resume'>> {
    return this.call('control.resume', { body: params }, options);
  }
}

/** Messages that wait for approval. */
export class Approvals extends ManagementResource {
  /**
   * Lists the messages that need or needed approval, newest first.
   *
   * @example
   * for await (const { to, subject, snippet } of manager.approvals.list({ state: 'held' }))
   *   console.log(to, subject, snippet);
   */
  list(query?: QueryOf<'approvals.list'>, options?: RequestOptions): PagePromise<AnswerOf<'approvals.list'>> {
    return this.listPages('approvals.list', query, options);
  }

  /**
   * Returns everything that people see before they decide on a message.
   *
   * @example
   * const { subject, correspondents } = await manager.approvals.get(message.id);
   * console.log(subject, correspondents);
   */
  get(id: string, options?: RequestOptions): APIPromise<Approval> {
    return this.call('approvals.get', { params: { id } }, options);
  }

  /**
   * Approves or refuses messages on behalf of the people in `decided_by`. The `content_hash` identifies what they saw: if the message has
   * changed since then, the decision does not count.
   *
   * @example
   * const { message_id, content_hash } = await manager.approvals.get(message.id);
   * const { results } = await manager.approvals.decide({
   *   decision: 'approve',
   *   messages: [{ message_id, content_hash }],
   *   decided_by: 'Ada (chat user U17)',
   * });
   * console.log(results[0]?.problem);
   */
  decide(params: DecideForPeople, options?: RequestOptions): APIPromise<AnswerOf<'approvals.decide'>> {
    return this.call('approvals.decide', { body: params }, options);
  }
}
