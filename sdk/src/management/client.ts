import { Caller } from '../calls/call.ts';
import { checkOptions } from '../check-options.ts';
import { type ClientOptions, callSettings } from '../client-options.ts';
import { readEnvironment } from '../environment.ts';
import { PostriderError } from '../errors.ts';
import { defaultBaseURL, environment, workspaceHeader } from '../generated/brand.ts';
import { managementPath } from '../generated/management.ts';
import { Domains } from '../resources/domains.ts';
import { Webhooks } from '../resources/webhooks.ts';
import { Approvals, ControlResource } from './control.ts';
import { Keys } from './keys.ts';
import { People } from './people.ts';
import { UsageResource, WorkspaceResource, Workspaces } from './workspaces.ts';

/** The options of a management client. Options without a description work as in `ClientOptions`. */
export interface ManagementOptions
  extends Pick<ClientOptions, 'timeout' | 'maxRetries' | 'fetch' | 'logger' | 'logLevel'> {
  /** The admin token, or a function that returns it and is called before every attempt. */
  token: string | (() => string | Promise<string>);
  /** The id of the workspace. Required with a token of the operator; the token of a workspace has its own. */
  workspace?: string | undefined;
  /**
   * The base URL of the management API. Default: `POSTRIDER_BASE_URL` with `/manage/v1` in place of `/v1`, or
   * `http://127.0.0.1:4400/manage/v1` if that is not set.
   */
  baseURL?: string | undefined;
}

const optionNames = [
  'token',
  'workspace',
  'baseURL',
  'timeout',
  'maxRetries',
  'fetch',
  'logger',
  'logLevel',
] as const satisfies (keyof ManagementOptions)[];

/** The client of the management API, for programs of the people in control. */
export class Management {
  /** API keys of agents. */
  readonly keys: Keys;
  /** Policies, pauses and disclosure. */
  readonly control: ControlResource;
  /** Messages that wait for approval. */
  readonly approvals: Approvals;
  /** Members and invitations. */
  readonly people: People;
  /** Endpoints that receive events. */
  readonly webhooks: Webhooks;
  /** Sending domains of the workspace. */
  readonly domains: Domains;
  /** The usage of the workspace. */
  readonly usage: UsageResource;
  /** The workspace of the token. */
  readonly workspace: WorkspaceResource;
  /** All workspaces, for tokens of the operator. */
  readonly workspaces: Workspaces;

  readonly #options: ManagementOptions;

  /**
   * Creates a client. Throws a `PostriderError` if the token is missing, or if an option is unknown or
   * invalid.
   *
   * @example
   * const manager = new Management({ token: process.env.MY_ADMIN_TOKEN ?? '' });
   */
  constructor(options: ManagementOptions) {
    checkOptions('new Management()', options, optionNames);
    const { token, workspace, baseURL, ...others } = options;
    if (!token)
      throw new PostriderError(
        'The admin token is missing: pass new Management({ token }). Owners make one in the console.',
      );
    const settings = callSettings({ ...others, apiKey: token, baseURL: managementURL(baseURL) });
    const caller = new Caller(
      workspace === undefined ? settings : { ...settings, headers: { [workspaceHeader]: workspace } },
    );
    this.#options = options;
    this.keys = new Keys(caller);
    this.control = new ControlResource(caller);
    this.approvals = new Approvals(caller);
    this.people = new People(caller);
    this.webhooks = new Webhooks(caller, undefined);
    this.domains = new Domains(caller);
    this.usage = new UsageResource(caller);
    this.workspace = new WorkspaceResource(caller);
    this.workspaces = new Workspaces(caller);
  }

  /**
   * Returns a client for another workspace, with the same token of the operator.
   *
   * @example
   * for await (const { id } of manager.workspaces.list()) {
   *   const { pauses } = await manager.withWorkspace(id).control.get();
   *   console.log(id, pauses.length);
   * }
   */
  withWorkspace(workspace: string): Management {
    return new Management({ ...this.#options, workspace });
  }
}

/** The path of the API in a base URL is replaced, so that one setting is enough for both clients. */
function managementURL(given: string | undefined): string {
  const base = (given ?? readEnvironment(environment.baseURL) ?? defaultBaseURL).replace(/\/+$/, '');
  return base.endsWith(managementPath) ? base : base.replace(/\/v1$/, managementPath);
}
