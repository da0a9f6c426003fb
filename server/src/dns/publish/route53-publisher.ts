import type * as Route53 from '@aws-sdk/client-route-53';
import { isInZone, plainName } from '../dns-message.ts';
import {
  checkChanges,
  type DnsPublisher,
  PublishError,
  type RecordChange,
  splitText,
} from './publish-records.ts';

/** The hosted zone that records are written to. */
export interface Route53Settings {
  hostedZoneId: string;
  /** A service other than AWS. */
  endpoint?: string;
  /** 10 s by default, for all requests of one call. */
  timeoutMs?: number;
}

interface Connection {
  sdk: typeof Route53;
  client: Route53.Route53Client;
  hostedZoneId: string;
  signal: AbortSignal;
}

type RecordSet = Route53.ResourceRecordSet;

const defaultTimeoutMs = 10_000;
/** Route 53 has one endpoint, whose requests are signed for this region. */
const defaultRegion = 'us-east-1';
const failures: Record<string, string> = {
  NoSuchHostedZone: 'has no such hosted zone',
  InvalidInput: 'does not accept the id of the hosted zone',
  AccessDenied:
    'refuses the credentials: they need route53:GetHostedZone, ListResourceRecordSets and ChangeResourceRecordSets',
  AccessDeniedException: 'refuses the credentials',
  InvalidClientTokenId: 'does not know the credentials',
  SignatureDoesNotMatch: 'does not accept the secret of the credentials',
  CredentialsProviderError: 'was not asked, because no AWS credentials were found',
  PriorRequestNotComplete: 'is still busy with an earlier change; try again',
  Throttling: 'receives too many requests; try again',
  TimeoutError: 'did not reply in time',
  AbortError: 'did not reply in time',
};

/**
 * Creates a publisher that changes records in a hosted zone of Amazon Route 53, with the credentials that the AWS SDK finds. It
 * does not wait until all name servers of AWS have the change.
 */
export function createRoute53Publisher(settings: Route53Settings): DnsPublisher {
  const { hostedZoneId, timeoutMs = defaultTimeoutMs } = settings;
  let connecting: Promise<Omit<Connection, 'signal'>> | null = null;
  const ask = async <T>(work: (connection: Connection) => Promise<T>): Promise<T> => {
    try {
      connecting ??= connect(settings).catch((error: unknown) => {
        connecting = null;
        throw error;
      });
      return await work({ ...(await connecting), signal: AbortSignal.timeout(timeoutMs) });
    } catch (error) {
      throw error instanceof PublishError ? error : publishError(error, hostedZoneId);
    }
  };
  return {
    name: `route53 zone ${hostedZoneId}`,
    publish: (changes) => {
      return ask(async (connection) => {
        const checked = checkChanges(changes);
        const zone = await readZone(connection);
        const outside = checked.find(({ name }) => !isInZone(name, zone));
        if (outside) throw new PublishError(`${outside.name} is not in the zone ${zone}.`);
        await applyChanges(connection, checked);
      });
    },
    check: () => ask(async (connection) => ({ zone: await readZone(connection) })),
  };
}

/** Loads the SDK, which takes long, only where it is used. */
async function connect({ hostedZoneId, endpoint }: Route53Settings): Promise<Omit<Connection, 'signal'>> {
  const sdk = await import('@aws-sdk/client-route-53');
  const own = endpoint === undefined ? {} : { endpoint };
  const client = new sdk.Route53Client(own);
  const hasRegion = await client.config.region().then(
    () => true,
    () => false,
  );
  return {
    sdk,
    client: hasRegion ? client : new sdk.Route53Client({ ...own, region: defaultRegion }),
    hostedZoneId,
  };
}

async function readZone({ sdk, client, hostedZoneId, signal }: Connection): Promise<string> {
  const answer = await client.send(new sdk.GetHostedZoneCommand({ Id: hostedZoneId }), {
    abortSignal: signal,
  });
  return plainName(answer.HostedZone?.Name ?? '');
}

/** All changes go in one request, which Route 53 applies completely or not at all. */
async function applyChanges(connection: Connection, changes: RecordChange[]): Promise<void> {
  const { sdk, client, hostedZoneId, signal } = connection;
  const batch: Route53.Change[] = [];
  for (const change of changes) {
    const records = toRecordSet(change);
    const existing = records === null ? await findRecordSet(connection, change) : null;
    if (records) batch.push({ Action: 'UPSERT', ResourceRecordSet: records });
    if (existing) batch.push({ Action: 'DELETE', ResourceRecordSet: existing });
  }
  if (batch.length === 0) return;
  const command = new sdk.ChangeResourceRecordSetsCommand({
    HostedZoneId: hostedZoneId,
    ChangeBatch: { Changes: batch },
  });
  await client.send(command, { abortSignal: signal });
}

/** Route 53 removes records only if the request names their present values. */
async function findRecordSet(
  { sdk, client, hostedZoneId, signal }: Connection,
  { name, type }: RecordChange,
): Promise<RecordSet | null> {
  const command = new sdk.ListResourceRecordSetsCommand({
    HostedZoneId: hostedZoneId,
    StartRecordName: name,
    StartRecordType: type,
    MaxItems: 1,
  });
  const answer = await client.send(command, { abortSignal: signal });
  const first = answer.ResourceRecordSets?.[0];
  return first?.Name !== undefined && writeName(first.Name) === name && first.Type === type ? first : null;
}

function toRecordSet({ name, type, values, ttl }: RecordChange): RecordSet | null {
  if (values === null || values.length === 0) return null;
  const records = values.map(({ value, priority }) => ({ Value: writeValue(type, value, priority) }));
  return { Name: name, Type: type, TTL: ttl, ResourceRecords: records };
}

function writeValue(type: RecordChange['type'], value: string, priority: number | null): string {
  if (type === 'TXT') return splitText(value).map(quote).join(' ');
  return type === 'MX' ? `${priority} ${value}` : value;
}

/** Outside of printable ASCII, and for quotes and backslashes, Route 53 wants the octal code of a byte. */
function quote(bytes: Buffer): string {
  const escaped = [...bytes].map((byte) =>
    byte < 0x20 || byte > 0x7e || byte === 0x22 || byte === 0x5c
      ? `\\${byte.toString(8).padStart(3, '0')}`
      : String.fromCharCode(byte),
  );
  return `"${escaped.join('')}"`;
}

/** Route 53 lists `*` as its octal code. */
function writeName(name: string): string {
  return plainName(
    name.replace(/\\(\d{3})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 8))),
  );
}

function publishError(error: unknown, hostedZoneId: string): PublishError {
  const { name, message, messages } = error as Error & { messages?: string[] };
  // A refused batch lists the problem of each change.
  const reason =
    failures[name] ?? `refuses the change: ${(messages?.join(' ') || message).replace(/\.$/, '')}`;
  return new PublishError(`Route 53 ${reason}. Hosted zone ${hostedZoneId}.`);
}
