const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'];

/** Returns a number of bytes in the reader's language, such as "1.4 MB". A kilobyte has 1,024 bytes. */
export function byteSize(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10));
  const unit = units[power] ?? 'byte';
  const format = new Intl.NumberFormat(undefined, {
    style: 'unit',
    unit,
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: power < 2 ? 0 : 1,
  });
  return format.format(bytes / 1024 ** power);
}
