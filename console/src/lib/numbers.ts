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
