const changesMax = 2;

/**
 * Returns the known address that is nearest to one that does not exist: with at most two letters added, left out or changed, not counting
 * a plus tag; or one with the same local part at another domain. Null if none is near.
 */
export function nearestAddress(address: string, known: readonly string[]): string | null {
  const [local, domain] = split(address);
  let best: { address: string; distance: number } | null = null;
  for (const candidate of known) {
    const [otherLocal, otherDomain] = split(candidate);
    const changes = changesBetween(`${local}@${domain}`, `${otherLocal}@${otherDomain}`);
    const isElsewhere = changes > changesMax && local === otherLocal;
    const distance = isElsewhere ? changesMax + 1 : changes;
    if (distance > 0 && distance < (best?.distance ?? Infinity)) best = { address: candidate, distance };
  }
  return best?.address ?? null;
}

function split(address: string): [local: string, domain: string] {
  const at = address.lastIndexOf('@');
  const local = address.slice(0, at).replace(/\+.*$/, '');
  return [local.toLowerCase(), address.slice(at + 1).toLowerCase()];
}

/** Returns how many letters are added, left out or changed between two texts, or more than the limit if they are further apart. */
function changesBetween(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > changesMax) return Infinity;
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const changed = (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1);
      next.push(Math.min(changed, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    if (Math.min(...next) > changesMax) return Infinity;
    row = next;
  }
  return row[other.length] ?? Infinity;
}
