import { type ComponentType, lazy } from 'react';

const firstWaitMs = 1_000;
const waitMsMax = 60_000;
const attemptsMax = 60;

/**
 * Returns a part of the frame whose code is loaded when it is first shown. A part that cannot be loaded is tried again, more and more
 * rarely, and its fallback is shown meanwhile: the frame must not take the page down.
 */
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
