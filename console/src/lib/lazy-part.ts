import { type ComponentType, lazy, startTransition, useState } from 'react';

const firstWaitMs = 1_000;
const waitMsMax = 60_000;
const attemptsMax = 60;

/** Returns a part of the frame that is loaded when it is first shown, and tried again if it cannot be: the page must go on without it. */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  return lazy(async () => ({ default: await loadPatiently(load) }));
}

async function loadPatiently<Part>(load: () => Promise<Part>): Promise<Part> {
  for (let attempt = 1; attempt < attemptsMax; attempt += 1) {
    try {
      return await load();
    } catch {
      await onlineOrAfter(Math.min(waitMsMax, firstWaitMs * 2 ** attempt));
    }
  }
  return load();
}

function onlineOrAfter(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      clearTimeout(timer);
      removeEventListener('online', go);
      resolve();
    };
    const timer = setTimeout(go, ms);
    addEventListener('online', go);
  });
}

/**
 * Returns the state of a dialog whose code is loaded when it is first opened. The page stays as it is until the code is there: once React
 * has shown a fallback, it shows nothing else in its place for 300 ms.
 */
export function useLazyDialog() {
  const [isOpen, setOpen] = useState<boolean | null>(null);
  return {
    isOpen: isOpen === true,
    // A dialog that was opened stays on the page, so that it can fade out.
    wasOpened: isOpen !== null,
    open: () => startTransition(() => setOpen(true)),
    close: () => setOpen(false),
  };
}
