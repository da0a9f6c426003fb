import type { APIPromise } from '../calls/api-promise.ts';
import type { PagePromise } from '../calls/page.ts';
import type { RequestOptions } from '../calls/request.ts';
import type { CreateWorkspace, ManagedWorkspace, UpdateWorkspace } from '../generated/management.ts';
import { type AnswerOf, type BodyOf, ManagementResource, type QueryOf } from './resource.ts';

/** The usage of the workspace. */
export class UsageResource extends ManagementResource {
  /**
   * Returns what the workspace used on each of the last days in UTC, oldest first.
   *
   * @example
   * const { days } = await manager.usage.get({ days: 7 });
   * console.log(days.map(({ day, sent }) => `${day}: ${sent}`));
   */
  get(query?: QueryOf<'usage.get'>, options?: RequestOptions): APIPromise<AnswerOf<'usage.get'>> {
    return this.call('usage.get', { query }, options);
  }
}

/** The workspace of the token. */
export class WorkspaceResource extends ManagementResource {
  /**
   * Changes the title of the workspace.
   *
   * @example
   * await manager.workspace.update({ title: 'Acme' });
   */
  update(
    params: BodyOf<'workspace.update'>,
    options?: RequestOptions,
  ): APIPromise<AnswerOf<'workspace.update'>> {
    return this.call('workspace.update', { body: params }, options);
  }
}

/** All workspaces, for tokens of the operator. */
export class Workspaces extends ManagementResource {
  /**
   * Creates a workspace. If one with this name exists, returns it unchanged.
   *
   * @example
   * const { id } = await manager.workspaces.create({ name: 'customer-17', plan: 'pro' });
   * const customer = manager.withWorkspace(id);
   * await customer.keys.create({ name: 'agent' });
   */
  create(params: CreateWorkspace, options?: RequestOptions): APIPromise<ManagedWorkspace> {
    return this.call('workspaces.create', { body: params }, options);
  }

  /**
   * Lists workspaces, newest first.
   *
   * @example
   * for await (const { name, plan } of manager.workspaces.list()) console.log(name, plan);
   */
  list(
    query?: QueryOf<'workspaces.list'>,
    options?: RequestOptions,
  ): PagePromise<AnswerOf<'workspaces.list'>> {
    return this.listPages('workspaces.list', query, options);
  }

  /**
   * Returns a workspace.
   *
   * @example
   * const { plan } = await manager.workspaces.get('wsp_01m7yyvjvwe8jaq5wmwbafz3s4');
   * console.log(plan);
   */
  get(id: string, options?: RequestOptions): APIPromise<ManagedWorkspace> {
    return this.call('workspaces.get', { params: { id } }, options);
  }

  /**
   * Changes the name or the plan of a workspace.
   *
   * @example
   * await manager.workspaces.update('wsp_01m7yyvjvwe8jaq5wmwbafz3s4', { plan: 'scale' });
   */
  update(id: string, params: UpdateWorkspace, options?: RequestOptions): APIPromise<ManagedWorkspace> {
    return this.call('workspaces.update', { params: { id }, body: params }, options);
  }

  /**
   * Deletes a workspace. Sending stops at once, and its mail and files are removed in the background.
   *
   * @example
   * await manager.workspaces.delete('wsp_01m7yyvjvwe8jaq5wmwbafz3s4');
   */
  delete(id: string, options?: RequestOptions): APIPromise<void> {
    return this.call('workspaces.delete', { params: { id } }, options);
  }
}
