import { Email } from '@postrider/contract/console';
import * as z from 'zod';
import { parseDomain } from '../lib/email-address.ts';
import { optionalText, port, url, variable } from './values.ts';

/** The settings of certificates and HTTPS, in the order of `.env.example`. */
export const tlsVariables = {
  POSTRIDER_HTTPS_PORT: variable(
    z.union([z.literal('off').transform(() => null), z.undefined(), port(443)]),
    'Port of HTTPS, which serves the same as HTTP; 0 picks a free port, off opens none. HTTPS needs POSTRIDER_TLS_CERT or POSTRIDER_ACME_EMAIL; with the latter, the default is 443.',
    { example: 'off' },
  ),
  POSTRIDER_TLS_CERT: variable(
    optionalText,
    'PEM file of the certificate for HTTPS and STARTTLS, read again when it changes; by default, STARTTLS has a self-signed certificate.',
  ),
  POSTRIDER_TLS_KEY: variable(optionalText, 'PEM file of its private key.'),
  POSTRIDER_ACME_EMAIL: variable(
    z
      .string()
      .optional()
      .refine((value) => value === undefined || Email.safeParse(value).success, 'must be an email address'),
    'Email address for an ACME account. Setting it accepts the terms of the ACME server, and the server then obtains certificates for the hosts of POSTRIDER_PUBLIC_URL and POSTRIDER_SMTP_HOSTNAME automatically.',
  ),
  POSTRIDER_ACME_DIRECTORY: variable(
    url(/^https:$/, 'https://acme.example.com/directory'),
    "Directory URL of the ACME server; by default, that of Let's Encrypt.",
  ),
};

type Own = { [Name in keyof typeof tlsVariables]: z.output<(typeof tlsVariables)[Name]['schema']> };

/** These settings, and those that they depend on. */
interface Values extends Own {
  POSTRIDER_PUBLIC_URL?: string | undefined;
  POSTRIDER_SMTP_HOSTNAME?: string | undefined;
  POSTRIDER_SMTP_PORT: number | null;
  POSTRIDER_TRUST_PROXY: string;
  POSTRIDER_HTTP_PORT: number | undefined;
}

/** The files of a certificate and its private key, both PEM. */
export interface CertificateFiles {
  certFile: string;
  keyFile: string;
}

/** How certificates are obtained automatically. */
export interface AcmeSettings {
  email: string;
  directory: string;
  /** The hosts that have a certificate, the host of the public URL first. */
  hostnames: string[];
}

/** HTTPS, and where certificates come from. */
export interface TlsSettings {
  /** Null if HTTPS is off. */
  httpsPort: number | null;
  files: CertificateFiles | null;
  acme: AcmeSettings | null;
  /** Whether HTTP redirects to HTTPS, except for requests that must be served without TLS. */
  isHttpsOnly: boolean;
}

const letsEncrypt = 'https://acme-v02.api.letsencrypt.org/directory';
const httpsPortUsual = 443;

/** Returns a problem for each setting that lacks another one, or contradicts it. */
export function findTlsProblems(values: Values): string[] {
  const { POSTRIDER_TLS_CERT: cert, POSTRIDER_TLS_KEY: key, POSTRIDER_ACME_EMAIL: email } = values;
  if (Boolean(cert) !== Boolean(key))
    return ['POSTRIDER_TLS_CERT and POSTRIDER_TLS_KEY go together: set both or none.'];
  if (email)
    return cert
      ? ['POSTRIDER_ACME_EMAIL and POSTRIDER_TLS_CERT are both set: keep one.']
      : findAcmeProblems(values);
  // A port that could not be read has its own problem.
  if (typeof values.POSTRIDER_HTTPS_PORT === 'number' && !cert)
    return [
      'POSTRIDER_HTTPS_PORT needs a certificate: set POSTRIDER_TLS_CERT and POSTRIDER_TLS_KEY, or POSTRIDER_ACME_EMAIL.',
    ];
  return [];
}

function findAcmeProblems(values: Values): string[] {
  const { isWeb, isMail } = findUses(values);
  const { POSTRIDER_PUBLIC_URL: publicUrl, POSTRIDER_SMTP_HOSTNAME: smtpHostname } = values;
  if (!isWeb && values.POSTRIDER_SMTP_PORT === null)
    return ['POSTRIDER_ACME_EMAIL has no use here: HTTPS and SMTP are both off.'];
  const problems: string[] = [];
  if (isWeb && (!publicUrl?.startsWith('https:') || readHost(publicUrl) === null))
    problems.push(
      'POSTRIDER_PUBLIC_URL must be an https URL with a host name, such as https://mail.example.com, with POSTRIDER_ACME_EMAIL.',
    );
  if (smtpHostname ? isMail && readHostname(smtpHostname) === null : !isWeb)
    problems.push(
      'POSTRIDER_SMTP_HOSTNAME must be a host name such as mx.example.com with POSTRIDER_ACME_EMAIL.',
    );
  return problems;
}

/** Returns which names certificates are ordered for. Behind a proxy, HTTPS is its task. */
function findUses(values: Values): { isWeb: boolean; isMail: boolean; httpsPort: number | null } {
  const isBehindProxy = values.POSTRIDER_TRUST_PROXY !== 'off';
  const usual = values.POSTRIDER_ACME_EMAIL && !isBehindProxy ? httpsPortUsual : null;
  const { POSTRIDER_HTTPS_PORT: httpsPort = usual } = values;
  return {
    isWeb: !isBehindProxy && httpsPort !== null,
    isMail: values.POSTRIDER_SMTP_PORT !== null && values.POSTRIDER_SMTP_HOSTNAME !== undefined,
    httpsPort,
  };
}

function readHost(publicUrl: string): string | null {
  return URL.canParse(publicUrl) ? readHostname(new URL(publicUrl).hostname) : null;
}

/** Returns a name that an ACME server could issue a certificate for. */
function readHostname(text: string): string | null {
  const hostname = parseDomain(text);
  return hostname?.includes('.') ? hostname : null;
}

/** Returns how TLS is spoken. The settings must be free of problems. */
export function readTls(values: Values): TlsSettings {
  const { POSTRIDER_TLS_CERT: certFile, POSTRIDER_TLS_KEY: keyFile, POSTRIDER_ACME_EMAIL: email } = values;
  const { isWeb, isMail, httpsPort } = findUses(values);
  const hostnames = [
    isWeb ? readHost(values.POSTRIDER_PUBLIC_URL ?? '') : null,
    isMail ? readHostname(values.POSTRIDER_SMTP_HOSTNAME ?? '') : null,
  ].filter((hostname) => hostname !== null);
  const directory = values.POSTRIDER_ACME_DIRECTORY ?? letsEncrypt;
  return {
    httpsPort,
    files: certFile && keyFile ? { certFile, keyFile } : null,
    acme: email ? { email, directory, hostnames: [...new Set(hostnames)] } : null,
    isHttpsOnly: email !== undefined && isWeb,
  };
}

const httpPorts = { usual: 4_400, acme: 80 };

/** Returns the port of HTTP. ACME servers check port 80; a proxy serves that port itself and passes the request on from there. */
export function readHttpPort(values: Values): number {
  const { POSTRIDER_ACME_EMAIL: email, POSTRIDER_TRUST_PROXY: proxy } = values;
  return values.POSTRIDER_HTTP_PORT ?? (email && proxy === 'off' ? httpPorts.acme : httpPorts.usual);
}
