/**
 * The one spelling in which names of labels are compared and sorted: `Ärger` and `ÄRGER` are the same name, with the umlaut as
 * one character or as two, and so are `Straße`, `STRAẞE` and `STRASSE`: `ẞ` becomes `ß` in lower case, and that `SS` in upper
 * case.
 */
export const labelNameKey = (name: string): string =>
  name.normalize('NFC').toLowerCase().toUpperCase().toLowerCase().normalize('NFC');
