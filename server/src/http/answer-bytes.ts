/*
 * Limits the memory of responses that are not read. A response stays in memory until its client has taken all of it, so a workspace with
 * too much of it unread gets 429 until it reads.
 */
import type { ServerResponse } from 'node:http';
import { limits } from '@postrider/contract';
import type { RequestHandler, Response } from 'express';
import { contextOf } from '../context.ts';
import { whenClosed } from '../lib/concurrency/when-closed.ts';
import { tooManyRequests } from '../lib/rate-limited.ts';

const comeAgainMs = 1_000;

/** Returns the bytes of a response whose end was written; 0 if its size is not known. */
export function answerBytesOf(res: Response): number {
  return Number(res.getHeader('content-length') ?? 0);
}

/** Returns whether a response is for a client without a key or session. */
export function isForStranger(res: ServerResponse): boolean {
  const { locals } = res as Partial<Response>;
  return !locals?.context && !locals?.person;
}

/** Returns whether a response is of a size that clients do not leave unread by chance. */
export function isLarge(res: ServerResponse): boolean {
  return Number(res.getHeader('content-length') ?? 0) > smallBytes;
}

/** Counts unread bytes by workspace, and responds with 429 to a workspace that has too many. */
export function limitUnread(): RequestHandler {
  const unread = new Map<string, number>();
  return (_req, res, next) => {
    const { workspaceId } = contextOf(res);
    if ((unread.get(workspaceId) ?? 0) > limits.unreadBytesPerWorkspaceMax)
      throw tooManyRequests(comeAgainMs);
    res.once('prefinish', () => {
      const bytes = answerBytesOf(res);
      // Small responses go to the memory of the operating system at once, and their number is limited.
      if (bytes <= smallBytes) return;
      unread.set(workspaceId, (unread.get(workspaceId) ?? 0) + bytes);
      whenClosed(res, () => {
        const left = (unread.get(workspaceId) ?? 0) - bytes;
        if (left > 0) unread.set(workspaceId, left);
        else unread.delete(workspaceId);
      });
    });
    next();
  };
}

const smallBytes = 65_536;
