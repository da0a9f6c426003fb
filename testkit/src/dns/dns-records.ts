import type { Answer } from 'dns-packet';

/** The types of records that the test server keeps. */
export type StoredType = 'A' | 'AAAA' | 'CNAME' | 'MX' | 'NS' | 'PTR' | 'TXT';

/**
 * One record as tests write it: the address, the host, `10 mail.example.net` for MX, or the text of TXT. A TXT record of several strings
 * is an array; a text over 255 bytes is split.
 */
export type StoredValue = string | string[];

/** The records of a server by name and type, and the zones that it has authority over. */
export class DnsRecords {
  readonly zones: string[] = [];
  readonly #records = new Map<string, Map<StoredType, StoredValue[]>>();

  /** Gives the server authority over a zone whose name servers have the given names and addresses of this machine. */
  addZone(zone: string, nameServers: string[]): void {
    this.zones.push(plainName(zone));
    this.set(zone, 'NS', nameServers);
  }

  set(name: string, type: StoredType, values: StoredValue[]): void {
    const owner = plainName(name);
    const types = this.#records.get(owner) ?? new Map<StoredType, StoredValue[]>();
    types.set(type, values);
    if (values.length === 0) types.delete(type);
    this.#records.set(owner, types);
    if (types.size === 0) this.#records.delete(owner);
  }

  get(name: string, type: StoredType): StoredValue[] {
    return this.#records.get(plainName(name))?.get(type) ?? [];
  }

  clear(): void {
    const zones = this.zones.map((zone) => [zone, this.get(zone, 'NS')] as const);
    this.#records.clear();
    for (const [zone, servers] of zones) this.set(zone, 'NS', servers);
  }

  /** Returns the closest zone of the server that a name is in. */
  zoneOf(name: string): string | null {
    const owner = plainName(name);
    const around = this.zones.filter((zone) => isInZone(owner, zone));
    return around.sort((one, other) => other.length - one.length)[0] ?? null;
  }

  /** Returns the name whose records answer for `name`: itself, or the wildcard above the closest name that exists (RFC 4592). */
  ownerOf(name: string): string | null {
    const wanted = plainName(name);
    if (this.#exists(wanted)) return wanted;
    for (let above = parentName(wanted); above !== null; above = parentName(above)) {
      const wildcard = above === '' ? '*' : `*.${above}`;
      if (this.#records.has(wildcard)) return wildcard;
      if (this.#exists(above)) return null;
    }
    return null;
  }

  /** A name with names below it exists, even without records of its own. */
  #exists(name: string): boolean {
    return (
      this.zones.includes(name) ||
      [...this.#records.keys()].some((owner) => owner === name || owner.endsWith(`.${name}`))
    );
  }
}

/** Returns a name in lower case without a final dot; the root is empty. */
export function plainName(name: string): string {
  return name.toLowerCase().replace(/\.$/, '');
}

/** Returns whether a plain name is a zone's own name or below it. */
export function isInZone(name: string, zone: string): boolean {
  return zone === '' || name === zone || name.endsWith(`.${zone}`);
}

/** Returns a record of a zone as `dns-packet` encodes it. */
export function toAnswer(name: string, type: StoredType, value: StoredValue, ttl: number): Answer {
  if (type === 'TXT') return { name, type, ttl, data: [value].flat().flatMap(splitText) };
  const text = [value].flat().join(' ');
  if (type !== 'MX') return { name, type, ttl, data: text };
  const [preference = '0', exchange = '.'] = text.split(' ');
  return { name, type, ttl, data: { preference: Number(preference), exchange } };
}

/** Returns the record that a negative answer carries (RFC 2308). */
export function makeSoa(zone: string): Answer {
  const data = {
    mname: nameServer(zone),
    rname: 'hostmaster.invalid',
    serial: 1,
    refresh: 3_600,
    retry: 600,
  };
  return { name: zone || '.', type: 'SOA', ttl: 60, data: { ...data, expire: 86_400, minimum: 60 } };
}

/** Returns the name of the first name server of a zone, unless it was told others. */
export function nameServer(zone: string): string {
  return zone === '' ? 'ns1' : `ns1.${zone}`;
}

function parentName(name: string): string | null {
  if (name === '') return null;
  return name.includes('.') ? name.slice(name.indexOf('.') + 1) : '';
}

function splitText(text: string): Buffer[] {
  const bytes = Buffer.from(text);
  const count = Math.max(1, Math.ceil(bytes.length / 255));
  return Array.from({ length: count }, (_, at) => bytes.subarray(at * 255, (at + 1) * 255));
}
