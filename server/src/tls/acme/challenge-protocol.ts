/** The protocol of ALPN by which an ACME server asks for the certificate of a challenge (RFC 8737). */
export const challengeProtocol = 'acme-tls/1';
