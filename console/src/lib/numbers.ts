const counts = new Intl.NumberFormat(undefined);
const percents = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 0 });
const finePercents = new Intl.NumberFormat(undefined, {
  style: 'percent',
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});

/** Returns a whole number in the reader's language, such as "12,345". */
export function formatCount(count: number): string {
  return counts.format(count);
}

/** Returns a share from 0 to 1 as whole per cent. */
export function formatPercent(share: number): string {
  return percents.format(share);
}

/** Returns a share from 0 to 1 as per cent with two decimals, for shares of a thousandth and less. */
export function formatFinePercent(share: number): string {
  return finePercents.format(share);
}

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
