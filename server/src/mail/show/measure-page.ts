import { randomBytes } from 'node:crypto';

/** Returns a nonce for one response, with 128 random bits. */
export function createNonce(): string {
  return randomBytes(16).toString('base64url');
}

/**
 * Tells the surrounding page how tall the mail is: when it is loaded, when an image has loaded, when a part is unfolded, and when its size
 * has changed. A mail that is as tall as its frame plus a bit would grow forever, so after three new heights in a row without any other
 * reason, it reports no more heights.
 */
const script = `(() => {
  const page = document.documentElement;
  let width = -1, height = -1, grown = 0;
  const tell = ({ type }) => {
    if (type !== 'resize' || innerWidth !== width) grown = 0;
    else if (innerHeight !== height) grown += 1;
    width = innerWidth;
    height = innerHeight;
    if (grown > 3) return;
    const content = page.scrollHeight > page.clientHeight ? page.scrollHeight : page.offsetHeight;
    parent.postMessage({ mailHeight: content + innerHeight - page.clientHeight }, location.origin);
  };
  for (const name of ['DOMContentLoaded', 'load', 'error', 'toggle']) document.addEventListener(name, tell, true);
  addEventListener('load', tell);
  addEventListener('resize', tell);
})()`;

/** Returns the script that reports the height of a mail, for the beginning of its page: nothing from the mail can precede it. */
export function measurePage(nonce: string): string {
  return `<script nonce="${nonce}">${script}</script>`;
}
