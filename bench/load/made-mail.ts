/** A mail that differs from every other mail by an id, which is written into its bytes just before it is sent. */
export interface MailTemplate {
  /** The bytes up to the last place of the id. */
  head: Buffer;
  /** The positions of the id in `head`. */
  idOffsets: number[];
  /** The rest with the final dot, which is the same for every mail. */
  tail: Buffer;
}

export const idLength = 24;
const idPlace = '#'.repeat(idLength);
const endOfData = '\r\n.\r\n';
const boundary = '=_bench_part';

const syllables = 'ka lo mi ter von dra sel ün é pra gen to ri ß ne fa ol su ber ing'.split(' ');

/** Returns one of 3,000 words of a made-up language, some with letters beyond ASCII. A few are frequent, as in real text. */
function randomWord(random: () => number): string {
  let rank = Math.floor(3_000 ** random());
  let word = '';
  for (; rank > 0; rank = Math.floor(rank / syllables.length)) word += syllables[rank % syllables.length];
  return word;
}

function randomText(random: () => number, characters: number): string {
  let text = '';
  while (text.length < characters) text += `${randomWord(random)}${random() < 0.08 ? '.\n' : ' '}`;
  return text.slice(0, characters);
}

/** Returns a text as quoted-printable with lines of at most 76 characters (RFC 2045, section 6.7). */
function quotedPrintable(text: string): string {
  return text
    .split('\n')
    .map((line) => {
      const tokens = [...Buffer.from(line)].map((byte) =>
        (byte >= 33 && byte <= 126 && byte !== 61 && byte !== 46) || byte === 32
          ? String.fromCharCode(byte)
          : `=${byte.toString(16).toUpperCase().padStart(2, '0')}`,
      );
      let width = 0;
      const folded = tokens.map((token) => {
        width += token.length;
        if (width <= 75) return token;
        width = token.length;
        return `=\r\n${token}`;
      });
      return folded.join('').replace(/ $/, '=20');
    })
    .join('\r\n');
}

function header(to: string, contentType: string): string {
  return [
    'Received: from mail.sender.example (mail.sender.example [192.0.2.7]) by mx.example; Mon, 5 Oct 2026 10:00:00 +0000',
    'From: =?UTF-8?Q?J=C3=BCrgen_M=C3=BCller?= <a@sender.example>',
    `To: Bob <${to}>`,
    'Subject: =?UTF-8?Q?Angebot_f=C3=BCr_die_n=C3=A4chste_Woche_=E2=80=93_bitte_pr=C3=BCfen?=',
    'Date: Mon, 5 Oct 2026 10:00:00 +0000',
    `Message-ID: <${idPlace}@sender.example>`,
    'MIME-Version: 1.0',
    `Content-Type: ${contentType}; boundary="${boundary}"`,
    '',
    '',
  ].join('\r\n');
}

function textPart(type: string): string {
  return `--${boundary}\r\nContent-Type: ${type}; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n`;
}

function makeTemplate(text: string): MailTemplate {
  const bytes = Buffer.from(text, 'latin1');
  const idOffsets: number[] = [];
  for (let at = bytes.indexOf(idPlace); at >= 0; at = bytes.indexOf(idPlace, at + 1)) idOffsets.push(at);
  const cut = (idOffsets.at(-1) ?? 0) + idLength;
  return { head: bytes.subarray(0, cut), idOffsets, tail: bytes.subarray(cut) };
}

const smallMailBytes = 5_181;

/** Creates a mail of 5,181 bytes: multipart/alternative, quoted-printable, with a subject in UTF-8. */
export function makeSmallMail(to: string, random: () => number): MailTemplate {
  const begin = `${header(to, 'multipart/alternative')}${textPart('text/plain')}Reference: ${idPlace}\r\n\r\n`;
  const plain = quotedPrintable(randomText(random, 1_300));
  const html = quotedPrintable(
    `<html><body><p>${randomText(random, 1_300).replaceAll('\n', '</p>\n<p>')}</p>`,
  );
  const start = `${begin}${plain}\r\n${textPart('text/html')}${html}\r\n`;
  const end = `</body></html>\r\n--${boundary}--`;
  return makeTemplate(`${start}${padding(smallMailBytes - start.length - end.length - 2)}${end}${endOfData}`);
}

function padding(bytes: number): string {
  const line = `<!-- ${'x'.repeat(60)} -->\r\n`;
  if (bytes < 0) throw new Error(`The text is ${-bytes} bytes too long.`);
  const rest = bytes % line.length;
  return (
    line.repeat(Math.floor(bytes / line.length)) +
    (rest < 2 ? ' '.repeat(rest) : `${' '.repeat(rest - 2)}\r\n`)
  );
}

/** Creates a mail of about 10 MB with an attachment of 7 MB. */
export function makeLargeMail(to: string, random: () => number): MailTemplate {
  const content = Buffer.alloc(7_340_032);
  for (let at = 0; at < content.length; at += 4) content.writeUInt32LE(Math.floor(random() * 2 ** 32), at);
  const lines = content.toString('base64').replaceAll(/.{76}/g, '$&\r\n');
  const start = `${header(to, 'multipart/mixed')}${textPart('text/plain')}Reference: ${idPlace}\r\n\r\n`;
  const text = quotedPrintable(randomText(random, 2_000));
  const attachment = `--${boundary}\r\nContent-Type: application/pdf\r\nContent-Transfer-Encoding: base64\r\nContent-Disposition: attachment; filename="report.pdf"\r\n\r\n`;
  return makeTemplate(`${start}${text}\r\n${attachment}${lines}\r\n--${boundary}--${endOfData}`);
}
