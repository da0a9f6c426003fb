/**
 * The one spelling in which names of labels are compared and sorted: `Ärger` and `ÄRGER` are the same name, with the umlaut as
 * one character or as two, and so are `Straße` and `STRASSE`. Upper case comes first, since only there are `ß` and `ss` one.
 */
export const labelNameKey = (name: string): string =>
  name.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC');
