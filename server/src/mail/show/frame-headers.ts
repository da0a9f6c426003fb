/** The places that the page of a mail may load images from. */
export interface FrameHeaderOptions {
  /** Whether the reader asked for the images of other servers. */
  remoteImages: boolean;
  /** Sources of inline images for the policy, such as `https://mail.example/console/mail/images/`. Images in `data:` need none. */
  imageSources?: string[];
}

/**
 * Returns the headers of the page that shows an HTML mail. The policy is the wall: the page has an origin of its own, runs no script,
 * submits nothing and loads only images; a link opens a new, ordinary tab. Throws if a source has characters that could add to the policy.
 */
export function frameHeaders(options: FrameHeaderOptions): Record<string, string> {
  const sources = options.imageSources ?? [];
  const strange = sources.find((source) => !/^https?:\/\/[^\s;,'"]+$/.test(source));
  if (strange !== undefined) throw new Error(`${strange} is not a source of images.`);
  const images = ['data:', ...sources, ...(options.remoteImages ? ['https:', 'http:'] : [])];
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': [
      'sandbox allow-popups allow-popups-to-escape-sandbox',
      "default-src 'none'",
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
