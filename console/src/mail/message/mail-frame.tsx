import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import type { HiddenPart } from '@postrider/contract/console';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useWorkspace } from '../../lib/workspace.ts';
import { readFrameHeight } from './read-mail.ts';

interface MailFrameProps {
  title: string;
  src: string;
  /** Raised to load the page of the frame again. */
  attempt?: number;
  /** A taller mail scrolls in its frame. */
  heightMax?: number;
  /** Called with whether the frame shows the mail, after a second try if the first one failed. */
  onLoad?(isShown: boolean): void;
}

const retryMs = 2_000;
const usualHeightMax = 12_000;
/** For a mail whose script has not reported its height, for example in a browser that blocks it. */
const unknownHeight = '60vh';

/** The frame of an HTML mail, as tall as it. Nothing runs in it but our script that measures it. A failure is followed by a second try. */
export function MailFrame({ title, src, attempt = 1, heightMax = usualHeightMax, onLoad }: MailFrameProps) {
  const [isSecond, setSecond] = useState(false);
  const [waits, setWaits] = useState(false);
  const [loaded, setLoaded] = useState('');
  const frame = useRef<HTMLIFrameElement>(null);
  const height = useFrameHeight(frame, heightMax);
  useEffect(() => {
    if (!waits) return undefined;
    const timer = setTimeout(() => {
      setWaits(false);
      setSecond(true);
    }, retryMs);
    return () => clearTimeout(timer);
  }, [waits]);
  const key = `${attempt} ${isSecond}`;
  // A browser keeps only the first 250 timings of a page, so the next one needs room.
  useEffect(() => {
    if (src && key) performance.clearResourceTimings();
  }, [src, key]);
  function load() {
    const isShown = wasServed(src);
    if (!isShown && !isSecond) return setWaits(true);
    setLoaded(key);
    onLoad?.(isShown);
  }
  const isThere = loaded === key;
  return (
    <div className="message-frame-box" data-loading={!isThere || undefined}>
      <iframe
        ref={frame}
        key={key}
        className="message-frame"
        style={{ height: height ?? (isThere ? unknownHeight : undefined) }}
        title={title}
        src={src}
        sandbox="allow-scripts allow-popups allow-popups-to-escape-sandbox"
        referrerPolicy="no-referrer"
        onLoad={load}
      />
      {!isThere && (
        <Stack gap={10} px={16} py={20} pos="absolute" inset={0} bg="var(--mantine-color-body)" aria-hidden>
          {['34%', '92%', '86%', '61%'].map((width) => (
            <Skeleton key={width} height={12} width={width} />
          ))}
        </Stack>
      )}
    </div>
  );
}

/** Returns the height that the page in a frame has told; null until then. Messages of other windows do not count. */
function useFrameHeight(frame: { current: HTMLIFrameElement | null }, heightMax: number): number | null {
  const [told, setTold] = useState<unknown>(null);
  useEffect(() => {
    const take = ({ source, data }: MessageEvent) => {
      if (source !== null && source === frame.current?.contentWindow) setTold(data);
    };
    addEventListener('message', take);
    return () => removeEventListener('message', take);
  }, [frame]);
  return readFrameHeight(told, heightMax);
}

/** A page cannot look into the frame, but it learns the status of what the frame loaded last, unless the frame was set to load lazily. */
function wasServed(src: string): boolean {
  const entries = performance.getEntriesByName(
    new URL(src, location.href).href,
  ) as PerformanceResourceTiming[];
  // The frame's own requests are made by it, and those for its headers by a script.
  const last = entries.filter(({ initiatorType }) => initiatorType === 'iframe').at(-1);
  return (last?.responseStatus ?? 0) < 400;
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
    retryDelay: retryMs,
  });
}

interface FrameNoteProps {
  icon: ReactNode;
  action: string;
  children: ReactNode;
  onAct(): void;
}

/** A line above the frame of a mail, with the possible actions. */
export function FrameNote({ icon, action, children, onAct }: FrameNoteProps) {
  return (
    <Group role="status" gap="xs" px="sm" py={6} mb="xs" bg="var(--console-hover)" bdrs="md">
      {icon}
      <Text size="sm" flex="1 1 220px">
        {children}
      </Text>
      <Button size="compact-sm" variant="default" onClick={onAct}>
        {action}
      </Button>
    </Group>
  );
}
