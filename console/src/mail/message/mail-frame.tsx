import { Skeleton, Stack } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { readFrameHeight } from './frame-height.ts';

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

/**
 * The frame of an HTML mail, as tall as the mail. Nothing runs in it but our script that measures it. If the server could not show the
 * mail, as on a busy machine, it is loaded once more.
 */
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
      {!isThere && <FrameSkeleton />}
    </div>
  );
}

function FrameSkeleton() {
  return (
    <Stack gap={10} className="message-frame-waiting" aria-hidden>
      <Skeleton height={12} width="34%" />
      <Skeleton height={12} width="92%" />
      <Skeleton height={12} width="86%" />
      <Skeleton height={12} width="61%" />
    </Stack>
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
