/*
 * What answers cost beside their making: the memory of those that are not read. An answer is one piece of memory until its client
 * has taken all of it, so a workspace with too much of it unread hears 429 until it reads.
 */
import { limits } from '@postrider/contract';
import type { RequestHandler, Response } from 'express';
import { contextOf } from '../context.ts';
import { whenClosed } from '../lib/concurrency/when-closed.ts';
import { tooManyRequests } from '../lib/rate-limited.ts';

const comeAgainMs = 1_000;

/** How many bytes the answer has whose end was written; 0 for one whose size is not known. */
export const answerBytesOf = (res: Response): number => Number(res.getHeader('content-length') ?? 0);

/** Counts by workspace what was answered and is not read yet, and answers 429 to who has too much of it. */
export const limitUnread = (): RequestHandler => {
  const unread = new Map<string, number>();
  return (_req, res, next) => {
    const { workspaceId } = contextOf(res);
    if ((unread.get(workspaceId) ?? 0) > limits.unreadBytesPerWorkspaceMax)
      throw tooManyRequests(comeAgainMs);
    res.once('prefinish', () => {
      const bytes = answerBytesOf(res);
      // Small answers are in the system's own memory at once, and their number is limited.
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
};

const smallBytes = 65_536;
