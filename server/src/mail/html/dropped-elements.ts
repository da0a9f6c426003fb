/** Elements that the page of a mail drops with their content. */
export const dropped: ReadonlySet<string> = new Set(
  (
    'script style title textarea option select xmp noscript noembed noframes template iframe svg math plaintext listing audio video canvas ' +
    'portal fencedframe frameset'
  ).split(' '),
);

/** Elements whose content nobody sees as text. In conditional comments, `xml` has settings. */
export const withoutText: ReadonlySet<string> = new Set(
  'script style title desc metadata head xml'.split(' '),
);
