import * as z from 'zod';
import { dnsUpdate } from './dns-update.ts';
import { domains, flag, optionalText, port, url, urls, variable } from './values.ts';

/** The mechanisms of RFC 7208 that name senders, without those that depend on the mail. */
const mechanism =
  /^(?:include:[a-z0-9._-]+|ip4:[0-9./]+|ip6:[0-9a-f:./]+|(?:a|mx)(?::[a-z0-9._-]+)?(?:\/\d{1,3})?)$/i;

function isMechanisms(text: string): boolean {
  return (
    text.length <= 400 &&
    text
      .trim()
      .split(/\s+/)
      .every((term) => mechanism.test(term))
  );
}

/** The settings of how mail leaves and how its senders are checked, in the order of `.env.example`. */
export const mailVariables = {
  POSTRIDER_TRANSPORT: variable(
    z.enum(['sandbox', 'smtp', 'ses', 'direct'], 'must be sandbox, smtp, ses or direct').default('sandbox'),
    'How mail is sent: sandbox (stays on this server), smtp (through a relay), ses (Amazon SES) or direct (to the servers of its recipients).',
    { example: 'sandbox' },
  ),
  POSTRIDER_SMTP_RELAY: variable(
    urls(/^smtps?:$/, 'smtp://user:password@host:587'),
    'Relay of the smtp transport, or several relays, separated by spaces or commas, which are tried in order.',
    { secret: true },
  ),
  POSTRIDER_DIRECT_PORT: variable(
    port(25),
    'Port that the direct transport connects to; only test networks need another one than 25.',
    { example: '25' },
  ),
  POSTRIDER_DIRECT_ALLOW_PRIVATE: variable(
    flag('false'),
    'Whether the direct transport can connect to private addresses.',
    { example: 'false' },
  ),
  POSTRIDER_SES_REGION: variable(
    optionalText.refine(
      (value) => value === undefined || /^[a-z]{2}(-[a-z]+)+-\d$/.test(value),
      'must be a region such as eu-west-1',
    ),
    'AWS region of Amazon SES, required by the ses transport. Credentials are found in the usual places of AWS.',
  ),
  POSTRIDER_SES_CONFIGURATION_SET: variable(
    optionalText.refine(
      (value) => value === undefined || /^[\w-]{1,64}$/.test(value),
      'must be the name of a configuration set',
    ),
    'Amazon SES configuration set for outgoing messages.',
  ),
  POSTRIDER_SES_TOPIC_ARNS: variable(
    optionalText
      .transform((value) => value?.split(',').map((arn) => arn.trim()) ?? [])
      .refine(
        (arns) => arns.every((arn) => /^arn:aws[a-z-]*:sns:[a-z0-9-]+:\d{12}:[\w-]{1,256}$/.test(arn)),
        'must be ARNs of topics such as arn:aws:sns:eu-west-1:123456789012:mail, separated by commas',
      ),
    'Amazon SNS topics whose SES notifications /hooks/ses accepts, separated by commas.',
  ),
  POSTRIDER_SES_INBOUND_BUCKET: variable(
    optionalText.refine(
      (value) => value === undefined || /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(value),
      'must be the name of a bucket',
    ),
    'S3 bucket in which Amazon SES stores incoming mail for this server.',
  ),
  POSTRIDER_SES_ENDPOINT: variable(
    url(/^https?:$/, 'https://email.example.com'),
    'SES-compatible service other than AWS; its bucket is then read from POSTRIDER_S3_ENDPOINT.',
  ),
  POSTRIDER_SPF: variable(
    optionalText.refine(
      (value) => value === undefined || isMechanisms(value),
      'must be SPF mechanisms such as "include:relay.example.net ip4:192.0.2.1", without v=spf1 and all',
    ),
    'The senders of mail for domains of this server, as SPF mechanisms; by default, this server, or Amazon SES with the ses transport.',
  ),
  POSTRIDER_DNS: variable(
    optionalText.refine(
      (value) => value === undefined || /^[^\s:]+:\d{1,5}$/.test(value),
      'must be host:port',
    ),
    "Resolver for domain checks and for SPF, DKIM and DMARC; by default, the system's.",
  ),
  POSTRIDER_DNS_UPDATE: variable(
    dnsUpdate,
    'Where the server writes DNS records: rfc2136://keyname:base64secret@host:port (followed by ?zone=example.org if the zone is not the mail domain) or route53://HOSTEDZONEID. By default, you set the records yourself.',
    { secret: true },
  ),
  POSTRIDER_TRUSTED_FORWARDERS: variable(
    domains,
    'Domains of forwarders whose ARC seals vouch for authors, such as google.com, separated by commas; by default, none.',
  ),
  POSTRIDER_DMARC_REJECT: variable(
    z
      .enum(['on', 'off'], 'must be on or off')
      .default('off')
      .transform((value) => value === 'on'),
    'Whether incoming mail that fails DMARC is refused if the policy of the author’s domain is reject; off accepts and marks it.',
    { example: 'off' },
  ),
};
