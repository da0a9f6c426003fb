/** Returns a small mail that answers nothing. */
export function singleMail(id: string): string {
  return [...header(id, id, `Mail ${id}`), '', 'A few words.'].join('\r\n');
}

/** Returns a small mail of a thread. */
export function threadMail(id: string, first: string): string {
  return [...header(id, first, `Mail ${first}`), '', 'A few words.'].join('\r\n');
}

const diskText = `${'Words that fill a disk. '.repeat(3)}\r\n`.repeat(7_000);

/** Returns a mail of 500 KB. */
export function storedMail(id: string): string {
  return [...header(id, id, `Mail ${id}`), '', diskText].join('\r\n');
}

function header(id: string, first: string, subject: string): string[] {
  return [
    'From: Eve <eve@attacker.example>',
    `Subject: ${subject}`,
    `Message-ID: <${id}@attacker.example>`,
    ...(id === first ? [] : [`In-Reply-To: <${first}@attacker.example>`]),
  ];
}

/** Returns a mail of a thread, with 64 KB of text and as much HTML. */
export function longMail(id: string, first: string): string {
  const line = `${'A line of a long mail, '.repeat(3)}\r\n`;
  const text = line.repeat(Math.ceil(65_000 / line.length));
  return [
    ...header(id, first, 'A long thread'),
    'Content-Type: multipart/alternative; boundary=b',
    '',
    `--b\r\nContent-Type: text/plain\r\n\r\n${text}`,
    `--b\r\nContent-Type: text/html\r\n\r\n<p>${text}</p>`,
    '--b--',
  ].join('\r\n');
}

/** Returns a mail of a thread, with nearly 1 MB of addresses in its header. */
export function addressedMail(id: string, first: string): string {
  const domain = `${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.example`;
  const field = (letter: string) =>
    Array.from({ length: 480 }, (_, i) => `${letter}${i}@${domain}`).join(',\r\n ');
  const fields = [...'aefg'].map((letter) => `To: ${field(letter)}`);
  fields.push(...[...'hijk'].map((letter) => `Cc: ${field(letter)}`), `Reply-To: ${field('l')}`);
  return [...header(id, first, 'A long thread'), ...fields, '', 'text'].join('\r\n');
}

/** Returns a mail with 900 attached files. */
export function mailOfParts(id: string): string {
  const part = (_: unknown, number: number) =>
    `--b\r\nContent-Type: text/plain; name=f${number}.txt\r\nContent-Disposition: attachment; filename=f${number}.txt\r\n\r\nPart ${number}\r\n`;
  return [
    ...header(id, id, 'Many parts'),
    'Content-Type: multipart/mixed; boundary=b',
    '',
    `${Array.from({ length: 900 }, part).join('')}--b--`,
  ].join('\r\n');
}

const mib = 1_048_576;

/** Returns bodies of JSON that are cheap to make and costly to read. */
export function costlyBodies(): Buffer[] {
  const keys = Array.from({ length: 800_000 }, (_, number) => `"k${number}":0`);
  return [
    `{${keys.join(',')}}`,
    `{"inbox_id":"x","attachments":[${'{},'.repeat((24 * mib) / 3)}{}]}`,
    `{"inbox_id":"x","to":[${'0,'.repeat(4 * mib)}0]}`,
    `{"inbox_id":"x","metadata":${'['.repeat(5 * mib)}${']'.repeat(5 * mib)}}`,
    `{"inbox_id":"x","attachments":[{"content":"${'\\u0041'.repeat((30 * mib) / 6)}"}]}`,
  ].map((text) => Buffer.from(text));
}

/** Returns messages to 50 recipients: a short one, and four with texts of 2.4 to 5 MB. */
export function costlyMessages({ id, address }: { id: string; address: string }): Buffer[] {
  const outside = Array.from({ length: 49 }, (_, number) => `r${number}@outside.example`);
  const texts = [
    'short',
    '\r'.repeat(5 * mib),
    '\n'.repeat(5 * mib),
    '\r'.repeat(2.4 * mib),
    'é '.repeat(1.6 * mib),
  ];
  return texts.map((text) =>
    Buffer.from(JSON.stringify({ inbox_id: id, to: [address, ...outside], subject: 'Flood', text })),
  );
}
