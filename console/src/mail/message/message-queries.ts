import type { HiddenPart } from '@postrider/contract/console';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Message } from 'postrider';
import { useEffect, useRef } from 'react';
import { ownLink } from '../../lib/mail-paths.ts';
import { type Reader, useRead } from '../../lib/query.ts';
import { useWorkspace } from '../../lib/workspace.ts';
import { notifyProblem } from '../../parts/notify.ts';
import { readIntoRows } from '../threads/refresh-row.ts';

/** The part of a source that is shown, in bytes. */
export const sourceShownBytes: number = 200 * 1024;
const linkMs = 10 * 60_000;

/** Reads a thread with its newest messages. */
export function useThread(id: string) {
  const queries = useQueryClient();
  const { workspace_id: workspaceId } = useWorkspace();
  return useRead(['threads', 'one', id], ({ api, signal }) =>
    readIntoRows({ api, queries, workspaceId }, id, signal),
  );
}

/** Reads a message with its whole bodies, where its thread has them cut. */
export function useWholeMessage(message: Message) {
  return useRead(
    ['whole-message', message.id],
    ({ api, signal }) => api.messages.get(message.id, { signal }),
    {
      enabled: message.body_truncated,
      staleTime: linkMs,
    },
  );
}

/** The beginning of a source, and a link to all of it. */
export interface Source {
  text: string;
  link: string;
  sizeBytes: number;
  isCut: boolean;
}

/** Reads the beginning of the source of a message. */
export function useSource(id: string) {
  return useRead(['source', id], (reader) => readSource(reader, id), { staleTime: linkMs });
}

async function readSource({ api, signal }: Reader, id: string): Promise<Source> {
  const { url, size_bytes } = await api.messages.raw(id, { signal });
  const link = ownLink(url);
  const response = await fetch(link, { signal, headers: { range: `bytes=0-${sourceShownBytes - 1}` } });
  if (!response.ok && response.status !== 416)
    throw new Error(`The request for the source was answered with ${response.status}.`);
  const text = response.ok ? await response.text() : '';
  return { text, link, sizeBytes: size_bytes, isCut: size_bytes > sourceShownBytes };
}

/** The address of the frame with the HTML of a message. With `images`, those of other servers are loaded. */
export function useFrameUrl(messageId: string, { images }: { images: boolean }): string {
  const { workspace_id } = useWorkspace();
  return `/console/mail/${workspace_id}/${messageId}${images ? '?images=1' : ''}`;
}

/** The facts that the server gives about the frame of a message. */
export interface FrameFacts {
  /** The number of images from other servers that are not loaded. */
  imagesHeld: number;
  /** Whether the frame does not show the whole message. */
  isCut: boolean;
  /** The texts that the frame does not show to everybody. */
  hidden: HiddenPart[];
}

const againMs = 2_000;

/** Reads the facts of the server about a frame, and retries once if the server could not give them. A higher `attempt` asks again. */
export function useFrameFacts(url: string, isNeeded: boolean, attempt = 1) {
  return useQuery({
    queryKey: ['frame-facts', url, attempt],
    queryFn: async ({ signal }): Promise<FrameFacts> => {
      const { ok, status, headers } = await fetch(url, { method: 'HEAD', signal });
      if (!ok) throw new Error(`The request for the page of an email was answered with ${status}.`);
      const hidden = decodeURIComponent(headers.get('x-mail-hidden') ?? '[]');
      return {
        imagesHeld: Number(headers.get('x-images-held') ?? 0),
        isCut: headers.has('x-mail-cut'),
        hidden: JSON.parse(hidden) as HiddenPart[],
      };
    },
    enabled: isNeeded,
    staleTime: Number.POSITIVE_INFINITY,
    retry: 1,
    retryDelay: againMs,
  });
}

/** Marks the messages that are shown as read, each once, so that one that a person marks as unread stays so. */
export function useMarkRead(messages: readonly Message[] | undefined, mark: () => Promise<void>): void {
  const seen = useRef(new Set<string>());
  useEffect(() => {
    const unread = messages?.filter(({ id, read }) => !read && !seen.current.has(id)) ?? [];
    if (unread.length === 0) return;
    for (const { id } of unread) seen.current.add(id);
    mark().catch(notifyProblem);
  }, [messages, mark]);
}
