import { defineEntity, p } from '@mikro-orm/core';

/** The key that signs mail of a shared domain. There is one for each domain that the server has had as its shared one. */
export const SigningKey = defineEntity({
  name: 'SigningKey',
  tableName: 'signing_keys',
  properties: {
    domain: p.text().primary(),
    /** As it is published in DNS. */
    publicKey: p.text(),
    /** The private key as PEM, encrypted by the root secret. */
    sealedKey: p.text(),
    createdAt: p.datetime(3),
  },
});
