/** A field of a header, unfolded (RFC 5322, section 2.2.3). */
export interface HeaderField {
  /** Its place among the fields, from 0. */
  place: number;
  name: string;
  value: string;
}

/** Returns the fields of the header of a mail in their order. Lines that belong to no field are left out. */
export function readHeaders(source: string): HeaderField[] {
  const end = /\r?\n\r?\n/.exec(source)?.index ?? source.length;
  const fields: HeaderField[] = [];
  for (const line of source.slice(0, end).split(/\r?\n/)) {
    const last = fields.at(-1);
    if (/^[ \t]/.test(line)) {
      if (last) last.value += ` ${line.trim()}`;
      continue;
    }
    const colon = line.indexOf(':');
    if (colon < 1) continue;
    fields.push({
      place: fields.length,
      name: line.slice(0, colon).trim(),
      value: line.slice(colon + 1).trim(),
    });
  }
  return fields;
}
