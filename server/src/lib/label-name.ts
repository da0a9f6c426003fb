/**
 * Returns the one spelling by which names of labels are compared and sorted. `Ärger` and `ÄRGER` are the same name, with the umlaut as one
 * character or as two. So are `Straße`, `STRAẞE` and `STRASSE`: `ẞ` becomes `ß` in lower case, and `ß` becomes `SS` in upper case.
 */
export function labelNameKey(name: string): string {
  return name.normalize('NFC').toLowerCase().toUpperCase().toLowerCase().normalize('NFC');
}
