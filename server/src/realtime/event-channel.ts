import { realtimeCloseCodes } from '@postrider/contract';
import type { EventRow } from '../events/read-log.ts';

/** The way to a client that follows the log: a realtime socket, or a stream of server-sent events. */
export interface EventChannel {
  kind: 'socket' | 'stream';
  readonly isOpen: boolean;
  /** The bytes that wait in this process until the client takes them. */
  readonly waitingBytes: number;
  /** Tells the client after which event the channel begins; null while the log is empty. */
  begin(workspaceId: string, cursor: string | null): void;
  /** Sends an event, of which `json` is the payload. */
  send(json: Buffer, row: EventRow): void;
  /**
   * Sends a sign of life, or cuts the channel if its client took nothing since the last one. The client has all events up to `cursor` that
   * it wants.
   */
  beat(cursor: string | null): void;
  /** Calls back once everything sent so far has left this process. */
  whenSent(then: () => void): void;
  /** Buffers what is sent until `uncork`. */
  cork(): void;
  uncork(): void;
  /** Tells the client why the channel ends, with a code of the contract or of RFC 6455, and ends it. */
  end(code: number, meaning: string): void;
  /** Ends the channel without a word. */
  cut(): void;
  /** Calls back when the channel is closed, with its code if that is known; at once if it is closed already. */
  onceClosed(then: (code?: number) => void): void;
}

/** Ends a channel with a code of the contract. */
export function closeAs(channel: EventChannel, why: keyof typeof realtimeCloseCodes): void {
  const { code, meaning } = realtimeCloseCodes[why];
  channel.end(code, meaning);
}
