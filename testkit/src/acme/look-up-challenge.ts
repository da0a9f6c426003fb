/* How an ACME server looks up the answer to a challenge. All names lead to this machine. */
import { createHash, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { connect } from 'node:tls';
import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import { Certificate } from '@peculiar/asn1-x509';

/** The challenges that the server offers. */
export type ChallengeType = 'http-01' | 'tls-alpn-01';

/** The ports of this machine that stand for 80 and 443. */
export interface ChallengePorts {
  http: number;
  https: number;
}

/** A challenge, and the answer that proves it. */
interface Lookup {
  hostname: string;
  token: string;
  keyAuthorization: string;
}

/** Rejects if the host does not prove that it takes part in the order. */
export async function lookUpChallenge(
  type: ChallengeType,
  ports: ChallengePorts,
  lookup: Lookup,
): Promise<void> {
  if (type === 'http-01') await lookUpByHttp(ports.http, lookup);
  else await lookUpByAlpn(ports.https, lookup);
}

/** As RFC 8555, section 8.3 says, without following a redirect. */
async function lookUpByHttp(port: number, { hostname, token, keyAuthorization }: Lookup): Promise<void> {
  const path = `/.well-known/acme-challenge/${token}`;
  const sent = request({ host: '127.0.0.1', port, path, headers: { host: hostname } }).end();
  const [res] = await once(sent, 'response');
  const found = await text(res);
  if (res.statusCode !== 200) throw new Error(`${hostname} answers ${res.statusCode}.`);
  if (found.trimEnd() !== keyAuthorization) throw new Error(`${hostname} answers something else.`);
}

const acmeIdentifierId = '1.3.6.1.5.5.7.1.31';
const protocol = 'acme-tls/1';

/** As RFC 8737 says. */
async function lookUpByAlpn(port: number, { hostname, keyAuthorization }: Lookup): Promise<void> {
  const asked = { servername: hostname, ALPNProtocols: [protocol], rejectUnauthorized: false };
  const socket = connect({ host: '127.0.0.1', port, ...asked });
  await once(socket, 'secureConnect');
  const { alpnProtocol } = socket;
  const presented = socket.getPeerX509Certificate();
  socket.destroy();
  if (alpnProtocol !== protocol || !presented) throw new Error(`${hostname} does not speak ${protocol}.`);
  if (presented.subjectAltName !== `DNS:${hostname}`) throw new Error(`${hostname} presents another name.`);
  const { extensions = [] } = AsnConvert.parse(
    new X509Certificate(presented.raw).raw,
    Certificate,
  ).tbsCertificate;
  const extension = extensions.find(({ extnID, critical }) => extnID === acmeIdentifierId && critical);
  const found = extension && AsnConvert.parse(extension.extnValue.buffer, OctetString);
  const wanted = createHash('sha256').update(keyAuthorization).digest();
  if (!found || !wanted.equals(Buffer.from(found.buffer)))
    throw new Error(`${hostname} presents something else.`);
}
