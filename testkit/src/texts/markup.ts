/** Returns text as HTML shows it. */
export function text(plain: string): string {
  return plain.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Returns the HTML of each item, joined without white space. */
export function each<Item>(items: readonly Item[], write: (item: Item, at: number) => string): string {
  return items.map(write).join('');
}
