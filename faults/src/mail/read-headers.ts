/** Returns the values of a header in a mail, unfolded, from the top. */
export function headerValues(raw: string, name: string): string[] {
  const header = raw.replace(/\r\n/g, '\n').split('\n\n', 1)[0] ?? '';
  const fields = header.replace(/\n[ \t]+/g, ' ').split('\n');
  const prefix = `${name.toLowerCase()}:`;
  return fields
    .filter((field) => field.toLowerCase().startsWith(prefix))
    .map((field) => field.slice(prefix.length).trim());
}

/** The results of the checks that a receiver made, in the words of RFC 8601; `missing` if it wrote none. */
export interface Verdicts {
  spf: string;
  dkim: string;
  dmarc: string;
}

/** Returns the results that a receiver wrote into a mail. SPF counts for the envelope sender, not for EHLO. */
export function readVerdicts(raw: string, receiver: string): Verdicts {
  const own = headerValues(raw, 'authentication-results').filter((value) => value.startsWith(`${receiver};`));
  const parts = own.flatMap((value) => value.split(';').slice(1)).map((part) => part.trim());
  const findResult = (method: string, isRight: (part: string) => boolean = () => true) =>
    parts.find((part) => part.startsWith(`${method}=`) && isRight(part))?.match(/^\w+=(\w+)/)?.[1] ??
    'missing';
  return {
    spf: findResult('spf', (part) => part.includes('smtp.mailfrom=')),
    dkim: findResult('dkim'),
    dmarc: findResult('dmarc'),
  };
}
