import * as base64 from 'nodemailer/lib/base64';
import type MimeNode from 'nodemailer/lib/mime-node';
import * as qp from 'nodemailer/lib/qp';

/**
 * Returns a small message with its parts, as nodemailer's `build` does, whose streams take three times as long as everything else. They are
 * for large messages, of which they hold little in memory.
 */
export function writeMessage(message: MimeNode): Buffer {
  const text = writeNode(message);
  // The last line of a message has a line end, too (RFC 5321, section 4.1.1.4).
  return Buffer.from(text.endsWith('\r\n') ? text : `${text}\r\n`);
}

function writeNode(node: MimeNode): string {
  // The boundary is known once the header is built.
  const header = `${node.buildHeaders()}\r\n\r\n`;
  if (!node.boundary) return header + encodeContent(node);
  const parts = node.childNodes.map((child) => `--${node.boundary}\r\n${writeNode(child)}\r\n`);
  return `${header}${parts.join('')}--${node.boundary}--\r\n`;
}

/** Texts are strings, and files are bytes, of which only ASCII goes unencoded. */
function encodeContent(node: MimeNode): string {
  const content = node.content as string | Buffer;
  const encoding = node.getTransferEncoding();
  if (encoding === 'base64') return base64.wrap(base64.encode(content));
  return encoding === 'quoted-printable' ? qp.wrap(qp.encode(content)) : content.toString();
}
