import { connect, type Socket } from 'node:net';
import { connect as startTls, type TLSSocket } from 'node:tls';

/** The first words of an SMTP server, before any mail. */
export interface SmtpGreeting {
  code: number;
  /** The first line without its code. */
  text: string;
}

/** The certificate that a server presents after STARTTLS. */
export interface PresentedCertificate {
  /** SHA-256 of the certificate, as `X509Certificate.fingerprint256`. */
  fingerprint: string;
  validTo: string;
  isSelfSigned: boolean;
  /** Why the chain or the name is not valid, such as `CERT_HAS_EXPIRED`; null if it is valid. */
  error: string | null;
}

interface Place {
  host: string;
  port: number;
  timeMs: number;
}

const replyBytesMax = 8_192;

/**
 * Connects, reads the greeting and says QUIT.
 *
 * @throws Error with the `code` of the socket, `ETIMEDOUT` after `timeMs`, or with a sentence if it is no SMTP.
 */
export function readGreeting(place: Place): Promise<SmtpGreeting> {
  return converse(place, async (socket) => {
    const greeting = await readReply(socket);
    socket.end('QUIT\r\n');
    return greeting;
  });
}

/**
 * Connects and returns the certificate that the server presents for `servername` after STARTTLS; null if it does not offer STARTTLS.
 *
 * @throws Error as `readGreeting`.
 */
export function readPresented(place: Place, servername: string): Promise<PresentedCertificate | null> {
  return converse(place, async (socket) => {
    await readReply(socket);
    socket.write('EHLO localhost\r\n');
    const { lines } = await readReply(socket);
    if (!lines.some((line) => /^250[- ]STARTTLS$/i.test(line))) return null;
    socket.write('STARTTLS\r\n');
    const { code, text } = await readReply(socket);
    if (code !== 220) throw new Error(`STARTTLS was refused: ${code} ${text}`);
    return readCertificate(await encrypt(socket, servername));
  });
}

async function converse<T>({ host, port, timeMs }: Place, talk: (socket: Socket) => Promise<T>): Promise<T> {
  const socket = connect({ host, port });
  const { promise: failed, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(Object.assign(new Error(`no answer within ${timeMs / 1_000} s`), { code: 'ETIMEDOUT' })),
    timeMs,
  );
  socket.on('error', reject);
  socket.on('close', () => reject(new Error('the connection was closed')));
  try {
    return await Promise.race([talk(socket), failed]);
  } finally {
    clearTimeout(timer);
    failed.catch(() => undefined);
    // The last command is still sent.
    socket.destroySoon();
    socket.unref();
  }
}

async function readReply(socket: Socket): Promise<SmtpGreeting & { lines: string[] }> {
  let received = '';
  const { promise, resolve, reject } = Promise.withResolvers<SmtpGreeting & { lines: string[] }>();
  const onData = (bytes: Buffer) => {
    received += bytes.toString('latin1');
    if (received.length > replyBytesMax) reject(new Error('it sent too much for an SMTP reply'));
    const lines = received.split(/\r?\n/);
    const last = lines.slice(0, -1).findIndex((line) => /^\d{3}( |$)/.test(line));
    if (last >= 0)
      resolve({
        code: Number(lines[last]?.slice(0, 3)),
        text: lines[0]?.slice(4) ?? '',
        lines: lines.slice(0, last + 1),
      });
    else if (lines.length > 1 && !/^\d{3}-/.test(lines[0] ?? ''))
      reject(new Error('the server there does not speak SMTP'));
  };
  socket.on('data', onData);
  try {
    return await promise;
  } finally {
    socket.off('data', onData);
  }
}

function encrypt(socket: Socket, servername: string): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    // An invalid certificate is exactly what the caller needs to know about.
    const encrypted = startTls({ socket, servername, rejectUnauthorized: false }, () => resolve(encrypted));
    encrypted.once('error', reject);
  });
}

function readCertificate(socket: TLSSocket): PresentedCertificate {
  const certificate = socket.getPeerX509Certificate();
  if (!certificate) throw new Error('it presented no certificate');
  const error = socket.authorizationError;
  return {
    fingerprint: certificate.fingerprint256,
    validTo: certificate.validTo,
    isSelfSigned: certificate.checkIssued(certificate) && certificate.verify(certificate.publicKey),
    error: error ? String(Object(error).code ?? error) : null,
  };
}
