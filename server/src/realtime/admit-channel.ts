import { asIssues, type RealtimeQuery } from '@postrider/contract';
import type { Request } from 'express';
import type { ZodType } from 'zod';
import type { Context } from '../context.ts';
import { findPlace, type LogPlace } from '../events/read-log.ts';
import { getInbox } from '../inboxes/find-inbox.ts';
import { ApiError, isApiError, unavailable } from '../lib/api-error.ts';
import type { EventChannel } from './event-channel.ts';
import type { SocketHub } from './socket-hub.ts';

/** A request to follow the log. */
export interface FollowRequest extends RealtimeQuery {
  /** The part of the request that has `after`, for its error. */
  afterField?: string;
}

/** Returns the query of a request, or throws `invalid_request`. */
export function readQuery<Query>(schema: ZodType<Query>, { query }: Request): Query {
  const read = schema.safeParse(query);
  if (!read.success) throw new ApiError('invalid_request', { issues: asIssues(read.error.issues) });
  return read.data;
}

/**
 * Lets a client follow the log of the caller's workspace over a channel that `open` opens. `open` returns null if the client has already
 * disconnected. The channel takes one of the workspace's places until it is closed.
 *
 * @throws ApiError `limit_reached` when all places are taken, `not_found` for an inbox that is not the caller's, `invalid_request` for an
 * unknown `after`, `unavailable` if the server is stopping, and as `open` throws.
 */
export async function admitChannel(
  ctx: Context,
  hub: SocketHub,
  request: FollowRequest,
  open: () => EventChannel | null,
): Promise<void> {
  const leave = hub.enter(ctx);
  const opened = await openAt(ctx, request, open).catch((error: unknown) => {
    leave();
    throw error;
  });
  if (!opened) return leave();
  const { channel, from } = opened;
  watch(ctx, channel, leave);
  const filters = { events: request.events, inbox_id: request.inbox_id, inbox_ids: ctx.scope.inboxIds };
  hub.follow(ctx, channel, { filters, from });
}

/** Checks whether the channel may be opened, and opens it at once. */
async function openAt(
  ctx: Context,
  request: FollowRequest,
  open: () => EventChannel | null,
): Promise<{ channel: EventChannel; from: LogPlace | null } | null> {
  if (request.inbox_id !== undefined) await getInbox(ctx, request.inbox_id, 'inbox_id');
  const from = await findStart(ctx, request);
  // A stopping server ends the channels that are open when it begins to stop.
  if (ctx.stopping.aborted) throw unavailable();
  const channel = open();
  return channel && { channel, from };
}

/** Returns null if `after` is too old, since a browser can read how a channel ended but not the status of its request. */
async function findStart(
  ctx: Context,
  { after = 'latest', afterField }: FollowRequest,
): Promise<LogPlace | null> {
  try {
    return await findPlace(ctx, after, afterField);
  } catch (error) {
    if (isApiError(error, 'cursor_expired')) return null;
    throw error;
  }
}

/** Gives the place back with the channel. */
function watch(ctx: Context, channel: EventChannel, leave: () => void): void {
  const from = performance.now();
  const { requestId } = ctx;
  ctx.metrics.sockets.inc();
  ctx.log.info({ requestId }, `a ${channel.kind} was opened`);
  channel.onceClosed((code) => {
    leave();
    ctx.metrics.sockets.dec();
    const durationMs = Math.round(performance.now() - from);
    ctx.log.info({ requestId, code, durationMs }, `a ${channel.kind} was closed`);
  });
}
