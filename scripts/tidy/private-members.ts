/** Everything in a library that the sources use beyond the exports of its main module and their documented members. */
export interface PrivateMembers {
  name: string;
  /** The version in which the members were read. Node has that of its types. */
  version: string;
  /** The members that each file uses. One with a slash is the path of an imported file. */
  files: Record<string, string[]>;
}

/**
 * All private members that are in use. A new version of a library may change them, so an upgrade includes reading them again in its source.
 * Those of a part in mailparser belong to mailsplit, of which mailparser requires one version.
 */
export const privateMembers: PrivateMembers[] = [
  {
    name: '@types/node',
    version: '24.19.2',
    files: {
      'server/src/http/connections/connections.ts': ['_handle'],
    },
  },
  {
    name: 'ajv',
    version: '8.20.0',
    files: {
      'testkit/src/http/answer-validator.ts': ['dist/2020.js'],
    },
  },
  {
    name: 'libmime',
    version: '5.6.4',
    files: {
      'server/src/mail/parse/decode-body.ts': ['lib/charset.js'],
    },
  },
  {
    name: 'mailauth',
    version: '7.1.0',
    files: {
      'server/src/admin/doctor/network/examine-sender.ts': ['lib/spf/index.js'],
      'server/src/mail/authenticate/check-author.ts': ['lib/dmarc/index.js'],
      'server/src/mail/authenticate/check-envelope.ts': ['lib/spf/index.js'],
      'server/src/mail/authenticate/verify-signatures.ts': ['lib/arc/index.js', 'lib/dkim/verify.js'],
      'server/src/mail/compose/sign-mail.test.ts': ['lib/dkim/verify.js'],
      'server/src/mail/transports/direct/fetch-policy.ts': ['lib/mta-sts.js'],
      'server/src/mail/transports/direct/find-route.ts': ['lib/mta-sts.js'],
      'server/src/mail/transports/direct/mta-sts.ts': ['lib/mta-sts.js'],
      'server/test/spec/delivery/signatures.spec.ts': ['lib/dkim/verify.js'],
      'server/test/spec/domains/aligned-mail.spec.ts': ['lib/dkim/verify.js'],
      'testkit/src/mail/signed-mail.ts': ['lib/arc/index.js', 'lib/dkim/sign.js', 'lib/dkim/verify.js'],
    },
  },
  {
    name: 'mailparser',
    version: '3.14.2',
    files: {
      'server/src/mail/parse/read-mime.ts': [
        '_headersLines',
        '_headerlen',
        'tree',
        'splitter',
        'node',
        'root',
        'contentType',
        'disposition',
        'filename',
        'charset',
        'encoding',
        'flowed',
        'delSp',
        'headers',
        'get',
        'parentNode',
        'getDecoder',
        'parseHeaders',
        'newNode',
        'createNode',
        'processHeaders',
        'key',
        'line',
        'decodeStream',
        'getTextContent',
        'type',
      ],
    },
  },
  {
    name: 'nodemailer',
    version: '10.6.0',
    files: {
      'server/src/mail/compose/compose-mail.ts': [
        'lib/base64',
        'lib/mail-composer',
        'lib/mime-node',
        'lib/qp',
      ],
      'server/src/mail/compose/write-message.test.ts': ['lib/mail-composer'],
      'server/src/mail/compose/header-fields.ts': ['lib/mime-funcs', 'lib/mime-node'],
      'server/src/mail/parse/read-mailboxes.ts': ['lib/addressparser'],
      'server/src/mail/transports/relay-session.ts': ['lib/smtp-connection', '_socket', '_ehloLines'],
      'server/src/mail/transports/run-step.ts': ['lib/smtp-connection'],
    },
  },
  {
    name: 'pg',
    version: '8.23.1',
    files: {
      'server/src/db/prepared.ts': [
        '_parsers',
        '_prebuiltEmptyResultObject',
        '_result',
        '_accumulateRows',
        'name',
        'fields',
        'prepare',
        'describe',
        'handleRowDescription',
      ],
      'testkit/src/database/database-rules.ts': [
        '_activeQuery',
        '_handleErrorMessage',
        'text',
        'code',
        'message',
        'notesTypes',
      ],
    },
  },
  {
    name: 'smtp-server',
    version: '3.21.6',
    files: {
      'server/src/mail/smtp/smtp-connection.ts': [
        'lib/smtp-connection.js',
        'init',
        'send',
        '_onCommand',
        '_parseAddressCommand',
        '_rejectInvalidParams',
        '_setListeners',
        '_socket',
        '_dataStream',
        '_parser',
        '_getEnhancedStatusCode',
        '_upgrading',
      ],
      'server/src/mail/smtp/smtp-listener.ts': ['lib/smtp-connection.js'],
    },
  },
  {
    name: 'ws',
    version: '8.23.0',
    files: {
      'server/test/spec/realtime/realtime-edges.spec.ts': ['_autoPong'],
    },
  },
  {
    name: 'zod',
    version: '4.6.7',
    files: {
      'contract/src/openapi/json-schema.ts': ['_zod'],
    },
  },
];
