/** The storage of a browser for all its tabs, or for one tab. */
type Place = 'localStorage' | 'sessionStorage';

/** Returns the text that is kept under a name; null for none, or in a browser without storage. */
export function readStored(place: Place, name: string): string | null {
  try {
    return globalThis[place].getItem(name);
  } catch {
    return null;
  }
}

/** Keeps a text under a name, or removes it with null. Where the storage is full or switched off, nothing is kept. */
export function keepStored(place: Place, name: string, value: string | null): void {
  try {
    if (value === null) globalThis[place].removeItem(name);
    else globalThis[place].setItem(name, value);
  } catch {
    // Pages work without it.
  }
}
