/** The places that the page of a mail may load images from, and the one script that may run in it. */
export interface FrameHeaderOptions {
  /** Whether the reader asked for the images of other servers. */
  remoteImages: boolean;
  /** Sources of inline images for the policy, such as `https://mail.example/console/mail/images/`. Images in `data:` need none. */
  imageSources?: string[];
  /** A nonce of `createNonce` for the script of `measure-page.ts`. Without it, no script runs. */
  nonce?: string;
}

/**
 * Returns the headers of the page that shows an HTML mail. The policy is the barrier: the page has its own origin, runs no script but ours,
 * submits nothing and loads only images; a link opens a new, ordinary tab. Throws if a source or the nonce has characters that could add to
 * the policy.
 */
export function frameHeaders(options: FrameHeaderOptions): Record<string, string> {
  const { imageSources: sources = [], nonce } = options;
  const strange = sources.find((source) => !/^https?:\/\/[^\s;,'"]+$/.test(source));
  if (strange !== undefined) throw new Error(`${strange} is not a source of images.`);
  if (nonce !== undefined && !/^[\w-]{22,}$/.test(nonce))
    throw new Error('The nonce is not one of createNonce.');
  const images = ['data:', ...sources, ...(options.remoteImages ? ['https:', 'http:'] : [])];
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': [
      `sandbox${nonce === undefined ? '' : ' allow-scripts'} allow-popups allow-popups-to-escape-sandbox`,
      "default-src 'none'",
      `script-src ${nonce === undefined ? "'none'" : `'nonce-${nonce}'`}`,
      "style-src 'unsafe-inline'",
      `img-src ${images.join(' ')}`,
      "font-src 'none'",
      "form-action 'none'",
      "frame-ancestors 'self'",
      "base-uri 'none'",
    ].join('; '),
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-dns-prefetch-control': 'off',
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'private, no-store',
  };
}
