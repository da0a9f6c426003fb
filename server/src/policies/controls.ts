import type { Disclosure, PauseLevel, SendMode } from '@postrider/contract';
import { type PolicyAt, type Strictest, strictestOf } from './effective-policy.ts';

/** A policy that holds for a send. */
export interface PolicyInForce extends PolicyAt {
  /** The id of the workspace, the inbox or the key. */
  subject: string;
}

/** The result of `sending_controls`. */
export interface ControlsRow {
  version: string;
  paused: PauseLevel | null;
  /** The key that sends; null for a person and for the server. */
  key: { revoked: boolean; expires_at: string | null; read_only: boolean; out_of_scope: boolean } | null;
  policies: PolicyInForce[];
  disclosure: Disclosure;
}

/** Everything that people have set for a send. It stays the same for as long as its version does. */
export interface StoredControls extends ControlsRow {
  strictest: Strictest;
}

/** A cap of a policy, and how many mails count for it. */
export interface Cap {
  kind: 'hour' | 'day' | 'thread' | 'recipient';
  policy: PolicyInForce;
  /**
   * What mails are counted for: the subject of the policy, or that with a recipient or a thread after `>`. `{thread}` stands for the
   * thread.
   */
  subject: string;
  /** The address without its plus tag to which mails are counted; null if those to all are. */
  person: string | null;
  most: number;
  /** How many count already. */
  sent: number;
}

/** Everything by which a send is decided: what people have set, and what is counted for it. */
export interface Controls extends StoredControls {
  caps: Cap[];
  /** The thread that the message joins, if it is there already and a cap asks for it. */
  threadId: string | null;
  /** The recipients that wrote to the inbox before; null if no policy asks for them. */
  known: string[] | null;
}

/** Returns the controls of a row, with the strictest of their policies. */
export function controlsOf(row: ControlsRow): StoredControls {
  return { ...row, strictest: strictestOf(row.policies) };
}

/** Returns controls without policies, which do not bind what a person writes and sends. */
export function ungoverned(controls: Controls): Controls {
  return { ...controls, policies: [], caps: [], strictest: strictestOf([]) };
}

/** Returns what becomes of a message that is sent now. */
export function sendMode({ key, strictest }: Controls): SendMode {
  return key?.read_only ? 'never' : strictest.policy.send;
}
