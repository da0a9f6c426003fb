import { useEffect, useState } from 'react';

interface MailFrameProps {
  title: string;
  src: string;
  /** Raised to load the page of the frame again. */
  attempt?: number;
  size?: 'tall' | 'short' | 'usual';
  height?: number | string;
  /** Called with whether the frame shows the mail, after a second try if the first one failed. */
  onLoad?(isShown: boolean): void;
}

const retryMs = 2_000;

/** The frame of an HTML mail, which runs nothing. If the server could not show it, as on a busy machine, it is loaded once more. */
export function MailFrame({ title, src, attempt = 1, size, height, onLoad }: MailFrameProps) {
  const [isSecond, setSecond] = useState(false);
  const [waits, setWaits] = useState(false);
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
  function loaded() {
    const isShown = wasServed(src);
    if (!isShown && !isSecond) setWaits(true);
    else onLoad?.(isShown);
  }
  return (
    <iframe
      key={key}
      className="message-frame"
      data-size={size}
      style={height === undefined ? undefined : { height }}
      title={title}
      src={src}
      sandbox="allow-popups allow-popups-to-escape-sandbox"
      referrerPolicy="no-referrer"
      onLoad={loaded}
    />
  );
}

/** A page cannot look into the frame, but it is told the status of what the frame loaded last, unless it was to load lazily. */
function wasServed(src: string): boolean {
  const entries = performance.getEntriesByName(
    new URL(src, location.href).href,
  ) as PerformanceResourceTiming[];
  // The frame's own requests are made by it, and those for its headers by a script.
  const last = entries.filter(({ initiatorType }) => initiatorType === 'iframe').at(-1);
  return (last?.responseStatus ?? 0) < 400;
}
