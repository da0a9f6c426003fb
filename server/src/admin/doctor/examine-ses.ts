import type { Config } from '../../config/config.ts';
import { settingNames } from '../../lib/start/start-error.ts';
import { createSesIdentities, type SesIdentities, SesIdentityError } from '../../mail/aws/ses-identities.ts';
import { type Finding, note, ok, problem } from './finding.ts';

const part = 'ses';
/** SES responds to about one query per second, so not all domains are looked up. */
export const identitiesMax = 8;
const lookUntilMs = 9_000;

/**
 * Checks that Amazon SES can tell this server of bounces, and that it sends for the domains. Credentials, sandbox and quota are part of the
 * check of the transport.
 */
export async function examineSes(
  { transport, ses }: Pick<Config, 'transport' | 'ses'>,
  hostnames: string[],
): Promise<Finding[]> {
  if (transport !== 'ses' || ses === null) return [];
  const identities = await examineIdentities(
    createSesIdentities(ses),
    hostnames.slice(0, identitiesMax),
    ses.region,
  );
  return [...examineTopics(ses.topicArns), ...identities];
}

/** Without a topic, nobody learns of bounces: SES writes its own return path into mail. */
function examineTopics(topicArns: string[]): Finding[] {
  if (topicArns.length > 0) return [ok(part, `reports by ${topicArns.join(', ')}`)];
  return [
    problem(
      part,
      'No topic of Amazon SNS is set, so the server does not learn of bounces and complaints, and SES may pause the account.',
      `Set ${settingNames.sesTopicArns}, as docs/self-hosting/ses-notifications.md shows.`,
    ),
  ];
}

async function examineIdentities(
  identities: Pick<SesIdentities, 'read'>,
  hostnames: string[],
  region: string,
): Promise<Finding[]> {
  const endsAt = performance.now() + lookUntilMs;
  const found: Finding[] = [];
  for (const hostname of hostnames) {
    if (performance.now() >= endsAt)
      return [...found, note(part, `SES did not respond in time about ${hostname}.`)];
    try {
      found.push(await examineIdentity(identities, hostname, region));
    } catch (error) {
      if (!(error instanceof SesIdentityError)) throw error;
      // A failure that keeps one domain from being looked up concerns all of them.
      return [...found, note(part, `${hostname} was not looked up: ${error.message}`)];
    }
  }
  return found;
}

async function examineIdentity(
  { read }: Pick<SesIdentities, 'read'>,
  hostname: string,
  region: string,
): Promise<Finding> {
  const state = await read(hostname);
  if (state === null)
    return problem(
      part,
      `Amazon SES does not know ${hostname}, and refuses mail from it.`,
      `Create the identity ${hostname} in SES, in the region ${region}.`,
    );
  if (!state.verifiedForSending)
    return problem(
      part,
      `Amazon SES does not send for ${hostname} yet. ${state.detail ?? ''}`.trimEnd(),
      `Publish the records that SES shows for the identity ${hostname}.`,
    );
  return state.detail === null
    ? ok(part, `sends for ${hostname}`)
    : note(part, `${hostname}: ${state.detail}`);
}
