import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';

interface Signing {
  DomainSigningSelector?: string;
  DomainSigningPrivateKey?: string;
}

/** The fields of all requests that are read here. */
export interface SesBody {
  FromEmailAddress?: string;
  Destination?: { ToAddresses?: string[] };
  Content?: { Raw?: { Data?: string } };
  ConfigurationSetName?: string;
  EmailTags?: { Name: string; Value: string }[];
  EmailIdentity?: string;
  DkimSigningAttributes?: Signing;
  SigningAttributes?: Signing;
  MailFromDomain?: string;
}

/** An identity: a domain that mail is sent from. */
export interface SesIdentity {
  name: string;
  selector: string | undefined;
  privateKey: string | undefined;
  mailFrom: string | undefined;
  configurationSet: string | undefined;
  /** Whether SES has found the records of the domain. */
  isVerified?: boolean;
}

/** Responds to the operations on identities; `match` has the name in the path, and the part of the identity. */
export function answerIdentity(
  identities: Map<string, SesIdentity>,
  { method, body }: { method: string; body: SesBody },
  res: ServerResponse,
  [, encoded, part]: RegExpExecArray,
): ServerResponse {
  const name = decodeURIComponent(encoded ?? body.EmailIdentity ?? '');
  const found = identities.get(name);
  if (method === 'POST' && encoded === undefined) {
    if (found) return fail(res, 400, 'AlreadyExistsException', `Email identity ${name} already exist.`);
    const { DomainSigningSelector: selector, DomainSigningPrivateKey: privateKey } =
      body.DkimSigningAttributes ?? {};
    const made = {
      name,
      selector,
      privateKey,
      mailFrom: undefined,
      configurationSet: body.ConfigurationSetName,
    };
    identities.set(name, made);
    return send(res, 200, {
      IdentityType: 'DOMAIN',
      VerifiedForSendingStatus: false,
      DkimAttributes: describeDkim(made),
    });
  }
  if (!found) return fail(res, 404, 'NotFoundException', `Email identity ${name} does not exist.`);
  switch (`${method} ${part ?? ''}`) {
    case 'GET ':
      return send(res, 200, describe(found));
    case 'DELETE ':
      identities.delete(name);
      return send(res, 200, {});
    case 'PUT /dkim/signing':
      found.selector = body.SigningAttributes?.DomainSigningSelector;
      found.privateKey = body.SigningAttributes?.DomainSigningPrivateKey;
      return send(res, 200, { DkimStatus: 'PENDING', DkimTokens: [found.selector] });
    case 'PUT /mail-from':
      found.mailFrom = body.MailFromDomain;
      return send(res, 200, {});
    default:
      return fail(res, 404, 'NotFoundException', `No such operation: ${method} ${part}`);
  }
}

function describeDkim({ selector, isVerified = false }: SesIdentity) {
  const Status = isVerified ? 'SUCCESS' : 'PENDING';
  return { SigningEnabled: true, Status, SigningAttributesOrigin: 'EXTERNAL', Tokens: [selector] };
}

function describe(identity: SesIdentity) {
  return {
    IdentityType: 'DOMAIN',
    FeedbackForwardingStatus: true,
    VerifiedForSendingStatus: identity.isVerified === true,
    VerificationStatus: identity.isVerified ? 'SUCCESS' : 'PENDING',
    DkimAttributes: describeDkim(identity),
    MailFromAttributes: {
      MailFromDomain: identity.mailFrom ?? '',
      MailFromDomainStatus: identity.isVerified ? 'SUCCESS' : 'PENDING',
      BehaviorOnMxFailure: 'USE_DEFAULT_VALUE',
    },
  };
}

/** Responds with an error in the form of AWS. */
export function fail(res: ServerResponse, status: number, code: string, message: string): ServerResponse {
  res.setHeader('x-amzn-errortype', code);
  return send(res, status, { message });
}

/** Responds with JSON. */
export function send(res: ServerResponse, status: number, body: object): ServerResponse {
  res.writeHead(status, { 'content-type': 'application/json', 'x-amzn-requestid': randomUUID() });
  return res.end(JSON.stringify(body));
}
