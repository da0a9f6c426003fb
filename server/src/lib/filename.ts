const filenameBytesMax = 255;
const extensionLengthMax = 16;

const separators = /[/\\]+/g;
// Controls end header lines, and format characters such as U+202E make "gpj.exe" read as "exe.jpg".
const invisible = /(?!\s|\u200c|\u200d)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
const encoder = new TextEncoder();

/**
 * Returns a file name that is safe to store, show and put into a header: no path, no invisible characters, no white space around it, at
 * most 255 bytes of UTF-8 with its extension kept. Returns `fallback` if nothing is left of it.
 */
export function cleanFilename(name: string | null | undefined, fallback = 'attachment'): string {
  const cleaned = (name ?? '')
    .slice(0, 4096)
    .replace(invisible, '')
    .replace(/\s+/g, ' ')
    .replace(separators, '_')
    .trim();
  const short = cutKeepingExtension(cleaned);
  return /^[._\s]*$/.test(short) ? fallback : short;
}

/** Returns the name under which a file is offered for download: cleaned, and never a hidden file on the reader's disk. */
export function downloadFilename(name: string | null | undefined): string {
  return cleanFilename(name).replace(/^\.+/, '_');
}

function cutKeepingExtension(name: string): string {
  if (Buffer.byteLength(name) <= filenameBytesMax) return name;
  const dot = name.lastIndexOf('.');
  const extension = dot > 0 && name.length - dot <= extensionLengthMax ? name.slice(dot) : '';
  const room = new Uint8Array(filenameBytesMax - Buffer.byteLength(extension));
  const { read } = encoder.encodeInto(name, room);
  return name.slice(0, read).trimEnd() + extension;
}
