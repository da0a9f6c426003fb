/** The text and the HTML of a mail. It has one of them or both. */
export interface MailBodies {
  text?: string;
  html?: string;
}

/** Returns a mail in its raw form. With `isReply`, it has the header of a reply. */
export function rawMail({ text, html }: MailBodies, subject: string, isReply: boolean): Buffer {
  const part = (type: string, content: string) =>
    `Content-Type: text/${type}; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from(content.replaceAll('\n', '\r\n')).toString('base64').replace(/.{76}/g, '$&\r\n')}\r\n`;
  const parts = [
    text === undefined ? '' : part('plain', text),
    html === undefined ? '' : part('html', html),
  ].filter(Boolean);
  const body =
    parts.length === 1
      ? parts[0]
      : `Content-Type: multipart/alternative; boundary="b0"\r\n\r\n${parts.map((one) => `--b0\r\n${one}`).join('')}--b0--\r\n`;
  const ids = isReply ? 'In-Reply-To: <before@example.com>\r\nReferences: <before@example.com>\r\n' : '';
  return Buffer.from(
    `From: me@example.org\r\nTo: anna@example.com\r\nSubject: =?utf-8?B?${Buffer.from(subject).toString('base64')}?=\r\nMIME-Version: 1.0\r\n${ids}${body}`,
  );
}
