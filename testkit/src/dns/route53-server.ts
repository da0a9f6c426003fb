/*
 * A small Route 53 over real HTTP, in memory: one hosted zone, with the three requests that publishing needs. It refuses unsigned requests,
 * and applies a batch of changes completely or not at all.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** The records of one name and type. */
export interface RecordSet {
  name: string;
  type: string;
  ttl: number;
  values: string[];
}

/** A running Route 53. */
export interface Route53Server {
  url: string;
  /** As they are stored, with final dots. */
  recordSets: RecordSet[];
  /** Method and path of every request so far. */
  requests: string[];
  /** Responds to requests with this error from now on; null ends that. */
  fail(code: string | null, status?: number): void;
  close(): Promise<void>;
}

interface Batch {
  action: string;
  set: RecordSet;
}

const namespace = 'xmlns="https://route53.amazonaws.com/doc/2013-04-01/"';

/** Starts a Route 53 on a free port of this machine, with one hosted zone. */
export async function startRoute53Server(hostedZoneId: string, zone: string): Promise<Route53Server> {
  const state = { recordSets: [] as RecordSet[], failure: null as { code: string; status: number } | null };
  const requests: string[] = [];
  const server = createServer(async (request, response) => {
    requests.push(`${request.method} ${request.url}`);
    const body = await text(request);
    const { failure } = state;
    if (failure) return respondError(response, failure.status, failure.code, 'The request failed.');
    if (!request.headers.authorization?.startsWith('AWS4-HMAC-SHA256 '))
      return respondError(response, 403, 'MissingAuthenticationToken', 'The request is not signed.');
    if (!request.url?.startsWith(`/2013-04-01/hostedzone/${hostedZoneId}`))
      return respondError(response, 404, 'NoSuchHostedZone', 'No hosted zone found with this ID.');
    answer(request, response, body);
  });
  const answer = (request: IncomingMessage, response: ServerResponse, body: string) => {
    if (request.method === 'POST') return change(response, body);
    if (!request.url?.includes('/rrset')) return respond(response, 200, hostedZoneXml(hostedZoneId, zone));
    const query = new URL(request.url, 'http://localhost').searchParams;
    respond(response, 200, listXml(state.recordSets, query.get('name') ?? '', query.get('type') ?? ''));
  };
  const change = (response: ServerResponse, body: string) => {
    const changed = applyBatch(state.recordSets, readBatch(body));
    if (typeof changed === 'string') return respondError(response, 400, 'InvalidChangeBatch', changed);
    state.recordSets.splice(0, Number.POSITIVE_INFINITY, ...changed);
    const info = '<Id>/change/C1</Id><Status>PENDING</Status><SubmittedAt>2026-01-01T00:00:00Z</SubmittedAt>';
    respond(
      response,
      200,
      `<ChangeResourceRecordSetsResponse ${namespace}><ChangeInfo>${info}</ChangeInfo></ChangeResourceRecordSetsResponse>`,
    );
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    recordSets: state.recordSets,
    requests,
    fail: (code, status = 400) => {
      state.failure = code === null ? null : { code, status };
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function readBatch(body: string): Batch[] {
  return [...body.matchAll(/<Change>(.*?)<\/Change>/gs)].map(([, change = '']) => ({
    action: tag(change, 'Action'),
    set: {
      name: storedName(tag(change, 'Name')),
      type: tag(change, 'Type'),
      ttl: Number(tag(change, 'TTL')),
      values: [...change.matchAll(/<Value>(.*?)<\/Value>/gs)].map(([, value = '']) => unescapeXml(value)),
    },
  }));
}

/** Returns the records after the changes, or what is wrong with one. */
function applyBatch(recordSets: RecordSet[], batch: Batch[]): RecordSet[] | string {
  const result = structuredClone(recordSets);
  for (const { action, set } of batch) {
    const at = result.findIndex(({ name, type }) => name === set.name && type === set.type);
    const where = `[name='${set.name}', type='${set.type}']`;
    if (set.type === 'TXT' && !set.values.every((value) => /^"[^"]{0,255}"( "[^"]{0,255}")*$/.test(value)))
      return `Invalid Resource Record: every string of TXT is quoted and has at most 255 characters ${where}`;
    if (action === 'UPSERT') {
      result.splice(at === -1 ? result.length : at, at === -1 ? 0 : 1, set);
    } else if (at === -1 || JSON.stringify(result[at]) !== JSON.stringify(set)) {
      return `Tried to delete resource record set ${where} but the values provided do not match the current values`;
    } else {
      result.splice(at, 1);
    }
  }
  const conflict = result.find(
    ({ name, type }) =>
      type === 'CNAME' && result.some((other) => other.name === name && other.type !== type),
  );
  return conflict
    ? `RRSet of type CNAME with DNS name ${conflict.name} is not permitted as it conflicts with other records with the same DNS name`
    : result;
}

/** Lists from a name and type on, in the order of Route 53: by labels from the right, then by type. */
function listXml(recordSets: RecordSet[], fromName: string, fromType: string): string {
  const key = (name: string, type: string) => `${name.split('.').reverse().join('.')} ${type}`;
  const start = key(storedName(fromName), fromType);
  const sorted = recordSets.toSorted((one, other) =>
    key(one.name, one.type) < key(other.name, other.type) ? -1 : 1,
  );
  const first = sorted.find(({ name, type }) => key(name, type) >= start);
  const listed = first === undefined ? '' : recordSetXml(first);
  return `<ListResourceRecordSetsResponse ${namespace}><ResourceRecordSets>${listed}</ResourceRecordSets><IsTruncated>false</IsTruncated><MaxItems>1</MaxItems></ListResourceRecordSetsResponse>`;
}

function recordSetXml({ name, type, ttl, values }: RecordSet): string {
  const records = values
    .map((value) => `<ResourceRecord><Value>${escapeXml(value)}</Value></ResourceRecord>`)
    .join('');
  return `<ResourceRecordSet><Name>${name}</Name><Type>${type}</Type><TTL>${ttl}</TTL><ResourceRecords>${records}</ResourceRecords></ResourceRecordSet>`;
}

function hostedZoneXml(id: string, zone: string): string {
  return `<GetHostedZoneResponse ${namespace}><HostedZone><Id>/hostedzone/${id}</Id><Name>${zone}.</Name><CallerReference>1</CallerReference></HostedZone></GetHostedZoneResponse>`;
}

function storedName(name: string): string {
  return `${name.toLowerCase().replace(/\.$/, '').replace('*', '\\052')}.`;
}

function respond(response: ServerResponse, status: number, xml: string): void {
  response.writeHead(status, { 'content-type': 'text/xml' });
  response.end(`<?xml version="1.0" encoding="UTF-8"?>\n${xml}`);
}

function respondError(response: ServerResponse, status: number, code: string, message: string): void {
  const error = `<Error><Type>Sender</Type><Code>${code}</Code><Message>${escapeXml(message)}</Message></Error>`;
  respond(response, status, `<ErrorResponse ${namespace}>${error}<RequestId>1</RequestId></ErrorResponse>`);
}

function tag(xml: string, name: string): string {
  return unescapeXml(new RegExp(`<${name}>(.*?)</${name}>`, 's').exec(xml)?.[1] ?? '');
}

function escapeXml(value: string): string {
  return value.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;');
}

function unescapeXml(value: string): string {
  return value
    .replace(/&quot;/g, '"')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&amp;/g, '&');
}
