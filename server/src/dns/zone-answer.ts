/** One record of a zone. */
export interface ZoneRecord {
  type: 'TXT' | 'MX' | 'CNAME' | 'A' | 'AAAA' | 'NS';
  /**
   * The address, the text of TXT with its strings joined, or the host in lower case without a final dot. The host of a null MX (RFC 7505)
   * is `.`.
   */
  value: string;
  /** The preference of an MX record, null for other types. */
  priority: number | null;
}

/** What the servers of a zone say about a name. */
export interface ZoneAnswer {
  /**
   * `records`: found. `none`: an authoritative server says that there is no such record, or the name is an alias that leads back to itself.
   * `unanswered`: no server gave an authoritative answer.
   */
  kind: 'records' | 'none' | 'unanswered';
  records: ZoneRecord[];
  /** The server that answered, such as `ns1.example.net (192.0.2.53)` or `resolver (192.0.2.1)`; null if none did. */
  server: string | null;
  /** The names that CNAME records lead to, in order; empty if the name has its records itself. */
  aliases: string[];
  /** One sentence on why there is no answer, or on what is odd about it; null otherwise. */
  detail: string | null;
}

/** Asks the name servers of a name's own zone, never a cache. Resolves in any case. */
export type AskZone = (name: string, type: 'TXT' | 'MX' | 'A' | 'AAAA' | 'CNAME') => Promise<ZoneAnswer>;
