import { isDeepStrictEqual } from 'node:util';
import { checkSignature, signReply, type TsigKey } from './check-signature.ts';
import { type DnsRecords, isInZone, type StoredType, type StoredValue } from './dns-records.ts';
import { type RawRecord, readUpdate, textOfData } from './update-message.ts';

const codes = { noError: 0, formError: 1, refused: 5, notAuth: 9, notZone: 10 };
const classes = { none: 254, any: 255 };
const anyType = 255;
const soaType = 6;
const typeNames: Record<number, StoredType> = {
  1: 'A',
  2: 'NS',
  5: 'CNAME',
  15: 'MX',
  16: 'TXT',
  28: 'AAAA',
};

/**
 * Applies an update that the key has signed, all of it or nothing, and returns the reply (RFC 2136, section 3). Prerequisites are refused
 * with FORMERR.
 */
export function acceptUpdate(records: DnsRecords, bytes: Buffer, key: TsigKey): Buffer {
  const message = readUpdate(bytes);
  const signature = checkSignature(bytes, message, key);
  if (signature.error === null) return reply(bytes, codes.refused);
  if (signature.error !== 0) return signReply(reply(bytes, codes.notAuth), key, signature);
  const code = apply();
  return signReply(reply(bytes, code), key, signature);

  function apply(): number {
    if (!records.zones.includes(message.zone)) return codes.notAuth;
    if (message.updates.some(({ name }) => !isInZone(name, message.zone))) return codes.notZone;
    if (message.prerequisites.length > 0 || message.updates.some((update) => !isKnown(update)))
      return codes.formError;
    for (const update of message.updates) applyOne(records, bytes, update);
    return codes.noError;
  }
}

function reply(bytes: Buffer, code: number): Buffer {
  const header = Buffer.alloc(12);
  bytes.copy(header, 0, 0, 2);
  header.writeUInt16BE(0xa800 | code, 2);
  return header;
}

function isKnown({ type, class: klass }: RawRecord): boolean {
  return type in typeNames || (type === anyType && klass === classes.any) || type === soaType;
}

function applyOne(records: DnsRecords, bytes: Buffer, update: RawRecord): void {
  const { name } = update;
  const type = typeNames[update.type];
  if (type !== undefined) records.set(name, type, valuesAfter(records, bytes, update, type));
  else if (update.type === anyType)
    for (const every of Object.values(typeNames)) records.set(name, every, []);
}

function valuesAfter(records: DnsRecords, bytes: Buffer, update: RawRecord, type: StoredType): StoredValue[] {
  const { name, class: klass } = update;
  if (klass === classes.any) return [];
  const value = textOfData(bytes, update);
  const stored = records.get(name, type);
  const others = stored.filter((one) => !isDeepStrictEqual(one, value));
  if (klass === classes.none) return others;
  // An alias replaces an alias, and does not go with other records; such an update is ignored (RFC 2136, section 3.4.2.2).
  const hasAlias = records.get(name, 'CNAME').length > 0;
  const hasOthers = Object.values(typeNames).some(
    (other) => other !== 'CNAME' && records.get(name, other).length > 0,
  );
  if (type === 'CNAME' ? hasOthers : hasAlias) return stored;
  return type === 'CNAME' ? [value] : [...others, value];
}
