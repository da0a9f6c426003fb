import type { ResolveImage } from '../html/css.ts';

/** The images that a mail may show. */
export interface ImageChoice {
  /** Whether images may be loaded from the servers that the mail names. */
  remoteImages: boolean;
  /** The address of each inline image, by its Content-ID without angle brackets. Addresses are trusted. */
  inlineImages: Record<string, string>;
}

/** The number of remote images that were not loaded, and of inline images that the mail does not have. */
export interface ImageCounts {
  remoteHeld: number;
  inlineMissing: number;
}

const addressLengthMax = 8_192;
/** Only pixel images: SVG is a document, which can have scripts and load other things. */
const rasterPattern =
  /^data:image\/(?:png|jpe?g|gif|webp|bmp|avif|x-icon|vnd\.microsoft\.icon);base64,[a-z0-9+/=\s]*$/i;
/** Browsers ignore these characters around an address. */
const around = /^[\0-\x20]+|[\0-\x20]+$/g;

/** Returns a function from the address in a mail to the address to load, which adds to `counts`. */
export function imageResolver(choice: ImageChoice, counts: ImageCounts): ResolveImage {
  return (address) => {
    const trimmed = address.replace(around, '');
    if (/^cid:/i.test(trimmed)) {
      const inline = findInline(trimmed.slice(4), choice.inlineImages);
      if (inline === null) counts.inlineMissing += 1;
      return inline;
    }
    if (/^data:/i.test(trimmed)) return rasterPattern.test(trimmed) ? trimmed : null;
    const remote = webAddress(trimmed);
    if (remote === null) return null;
    if (choice.remoteImages) return remote;
    counts.remoteHeld += 1;
    return null;
  };
}

/**
 * Returns an absolute http or https address in its normal form, or null for anything else. An address without a scheme would be relative to
 * our own pages.
 */
export function webAddress(address: string): string | null {
  if (address.length > addressLengthMax) return null;
  const absolute = /^[\\/]{2}/.test(address) ? `https:${address}` : address;
  if (!/^https?:/i.test(absolute) || !URL.canParse(absolute)) return null;
  return new URL(absolute).href;
}

function findInline(id: string, inlineImages: Record<string, string>): string | null {
  for (const wanted of [id, decodePercents(id)])
    if (Object.hasOwn(inlineImages, wanted)) return inlineImages[wanted] ?? null;
  return null;
}

function decodePercents(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}
