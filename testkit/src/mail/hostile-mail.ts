import { gzipSync } from 'node:zlib';

/** Mail that is built to hang, exhaust or confuse a parser. Each is at most 10 MB, even with CRLF at every line. */
export const hostileMails: Record<string, () => Buffer> = {
  'open div 200,000 deep': () => html('<div>'.repeat(200_000)),
  'closed div 50,000 deep': () => html(`${'<div>'.repeat(50_000)}x${'</div>'.repeat(50_000)}`),
  'tables 50,000 deep': () => html('<table><tr><td>'.repeat(50_000)),
  'quotations 90 deep with 200,000 lines': () => html('<blockquote>'.repeat(90) + 'x<br>'.repeat(200_000)),
  'quotations 20 deep with 200,000 lines': () => html('<blockquote>'.repeat(20) + 'x<br>'.repeat(190_000)),
  'quotations 90 deep with 11,000 lines': () => html('<blockquote>'.repeat(90) + 'x<br>'.repeat(11_000)),
  'lists 50,000 deep': () => html('<ul><li>'.repeat(50_000)),
  'two million less-than signs': () => html('<'.repeat(2_000_000)),
  'a million ampersands': () => html('&'.repeat(1_000_000)),
  'half-open comments': () => html('<!--'.repeat(300_000)),
  'half-open styles': () => html(`${'<div>'.repeat(500)}${'<style>'.repeat(150_000)}`),
  'an element with 400,000 attributes': () => html(`<a ${'x=1 '.repeat(400_000)}>x</a>`),
  'cid references': () => html('<img src="cid:a@b">'.repeat(50_000)),
  'quotation marks of every client': () =>
    html('<div class="gmail_quote"><blockquote type="cite"><div id="divRplyFwdMsg">'.repeat(4_000)),
  'empty parts': () => multipart('--b\r\n\r\n\r\n'.repeat(500_000)),
  'parts without header end': () => multipart('--b\r\n'.repeat(800_000)),
  'empty attachments': () => multipart('--b\r\nContent-Disposition: attachment\r\n\r\n\r\n'.repeat(100_000)),
  '900 attachments': () =>
    multipart('--b\r\nContent-Type: image/png\r\nContent-ID: <x@y>\r\n\r\nabc\r\n'.repeat(900)),
  'multipart 20,000 deep': () =>
    message(
      Array.from(
        { length: 20_000 },
        (_, i) => `Content-Type: multipart/mixed; boundary=b${i}\r\n\r\n--b${i}\r\n`,
      ).join(''),
    ),
  'attached messages 20,000 deep': () => message('Content-Type: message/rfc822\r\n\r\n'.repeat(20_000)),
  'a header of 200,000 fields': () => message(`${'X-Flood: y\r\n'.repeat(200_000)}\r\nbody`),
  'a header of one line': () => message(`X-Long: ${'y'.repeat(5_000_000)}\r\n\r\nbody`),
  'a header line folded 500,000 times': () => message(`X-Fold: y${'\r\n y'.repeat(500_000)}\r\n\r\nbody`),
  'fields named after prototypes': () =>
    message(
      '__proto__: x\r\nconstructor: y\r\nprototype: z\r\nList-__proto__: <http://x>\r\nList-constructor: <http://x>\r\nContent-Type: text/plain; __proto__=x; constructor=y\r\n\r\nbody',
    ),
  'encoded words without end': () => message(`Subject: ${'=?utf-8?q?'.repeat(60_000)}\r\n\r\nbody`),
  '60,000 encoded words': () =>
    message(
      `Subject: ${'=?utf-8?b?4pyT?= '.repeat(45_000)}\r\nFrom: ${'=?x?q?=C3?= '.repeat(20_000)}\r\n\r\nbody`,
    ),
  'encoded words of unknown charsets': () =>
    message(`Subject: =?no-such-charset?q?caf=E9?= =?utf-99?b?w6k=?=\r\n\r\nbody`),
  'a file name in 50,000 pieces': () =>
    multipart(
      `--b\r\nContent-Disposition: attachment; ${Array.from({ length: 50_000 }, (_, i) => `filename*${i}=a`).join('; ')}\r\n\r\nx\r\n`,
    ),
  'address groups in groups': () =>
    message(`To: ${'g:'.repeat(100_000)}\r\nCc: ${'a:b@c.d;'.repeat(50_000)}\r\n\r\nbody`),
  '100,000 recipients': () => message(`To: ${'a@b.example, '.repeat(70_000)}\r\n\r\nbody`),
  'comments in comments': () =>
    message(`From: ${'('.repeat(100_000)} a@b.c\r\nDate: ${'('.repeat(100_000)}\r\n\r\nbody`),
  'references to itself 40,000 times': () =>
    message(
      `Message-ID: <self@x.y>\r\nReferences: ${'<self@x.y> '.repeat(40_000)}\r\nIn-Reply-To: <self@x.y>\r\n\r\nbody`,
    ),
  'a boundary of 100,000 characters': () =>
    message(
      `Content-Type: multipart/mixed; boundary="${'b'.repeat(100_000)}"\r\n\r\n--${'b'.repeat(100_000)}\r\n\r\nx`,
    ),
  'a million line ends': () => message(`\r\n${'\n'.repeat(1_000_000)}`),
  'a megabyte of quotation marks': () => message(`\r\n${'>'.repeat(1_000_000)}`),
  '300,000 quoted lines': () => message(`\r\nnew\r\n${'> x\r\n'.repeat(300_000)}`),
  '100,000 lines that open quotations': () => message(`\r\n${'On Mon wrote\r\n'.repeat(100_000)}`),
  '100,000 header blocks': () => message(`\r\n${'From: a\r\nSent: b\r\n'.repeat(100_000)}`),
  'a line of five megabytes': () => message(`\r\n${'word '.repeat(1_000_000)}`),
  'text of NULs and lone surrogates': () =>
    Buffer.concat([
      message('Content-Type: text/plain; charset=utf-16le\r\n\r\n'),
      Buffer.alloc(600_000, '\x00\xd8'),
    ]),
  'quoted-printable without sense': () =>
    message(`Content-Transfer-Encoding: quoted-printable\r\n\r\n${'=\r\n=3D==9'.repeat(300_000)}`),
  'base64 without sense': () =>
    message(`Content-Transfer-Encoding: base64\r\n\r\n${'=A=?\r\n'.repeat(300_000)}`),
  'flowed text of spaces': () =>
    message(`Content-Type: text/plain; format=flowed; delsp=yes\r\n\r\n${' \r\n'.repeat(400_000)}`),
  'base64 in base64, five times over': () =>
    message(`Content-Transfer-Encoding: base64\r\n\r\n${inBase64(Buffer.alloc(1_500_000, 'x'), 5)}`),
  'an attached message in base64 in base64': () =>
    message(`${encodedMessage(inBase64(Buffer.from(encodedMessage('c3RpbGwgYW4gZW5jb2RlZCBtYWls')), 1))}`),
  'a gzip of 100 MB as a part': () =>
    multipart(
      `--b\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\nContent-Transfer-Encoding: base64\r\n\r\n${inBase64(gzipSync(Buffer.alloc(100_000_000)), 1)}\r\n`,
    ),
  'a boundary that never comes': () => multipart('-- b\r\n--B\r\n-b\r\n'.repeat(300_000)),
  'boundaries that begin alike': () =>
    message(
      `Content-Type: multipart/mixed; boundary=b\r\n\r\n${'--b\r\nContent-Type: multipart/mixed; boundary=bb\r\n\r\n--bb\r\n\r\nx\r\n'.repeat(40_000)}--b--\r\n`,
    ),
  'a file of 6 MB in one line of base64': () =>
    multipart(
      `--b\r\nContent-Type: image/png\r\nContent-Transfer-Encoding: base64\r\n\r\n${inBase64(Buffer.alloc(6_000_000, 7), 1)}\r\n`,
    ),
  'a date of 100,000 digits': () =>
    message(`Date: ${'9'.repeat(100_000)}\r\nDate: ${'- '.repeat(100_000)}\r\n\r\nx`),
  '100,000 different recipients': () =>
    message(`To: ${Array.from({ length: 100_000 }, (_, i) => `r${i}@b.example`).join(',\r\n ')}\r\n\r\nbody`),
  '2 MB of different words': () =>
    message(`\r\n${Array.from({ length: 250_000 }, (_, i) => `w${i.toString(36)}`).join(' ')}`),
  'bytes without any order': () =>
    Buffer.from(Array.from({ length: 500_000 }, (_, i) => (i * i * 2_654_435_761) >>> 24)),
  nothing: () => Buffer.alloc(0),
};

function message(rest: string): Buffer {
  return Buffer.from(`MIME-Version: 1.0\r\n${rest}`);
}

function inBase64(bytes: Buffer, times: number): string {
  const encoded = bytes.toString('base64');
  return times > 1 ? inBase64(Buffer.from(encoded), times - 1) : encoded;
}

function encodedMessage(content: string): string {
  return `Content-Type: message/rfc822\r\nContent-Transfer-Encoding: base64\r\n\r\n${content}`;
}

function html(content: string): Buffer {
  return message(`Content-Type: text/html; charset=utf-8\r\n\r\n${content}`);
}

function multipart(parts: string): Buffer {
  return message(`Content-Type: multipart/mixed; boundary=b\r\n\r\n${parts}--b--\r\n`);
}
