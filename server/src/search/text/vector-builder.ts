import { indexedStems, type StemScheme } from './stem-of.ts';
import type { Token } from './tokens-of.ts';

/** The weight of a field: A subject, B names and addresses, C new text, D the rest. */
export type Weight = 'A' | 'B' | 'C' | 'D';

const facetsMax = 2_000;
/** Postgres keeps no more positions of a lexeme. */
const positionsMax = 255;
const lastPosition = 16_383;
/** Postgres refuses a vector of 1 MiB. Each position takes 2 bytes. */
const bytesMax = 900_000;
const lexemeOverhead = 8;
/** Between two fields, so that no phrase spans them. */
const fieldDistance = 8;

/** Collects the lexemes of one message. */
export class VectorBuilder {
  private readonly facets = new Set<string>();
  private readonly lexemes = new Map<string, string[]>();
  private readonly words = new Set<string>();
  private bytes = 0;
  private offset = 0;

  /** Adds a lexeme without a position. */
  addFacet(lexeme: string): void {
    if (this.facets.size >= facetsMax || this.facets.has(lexeme)) return;
    this.facets.add(lexeme);
    this.bytes += Buffer.byteLength(lexeme) + lexemeOverhead;
  }

  /** Adds the tokens of a field after those of the fields before, until there are `lexemesMax` lexemes in all. */
  addText(tokens: Token[], weight: Weight, scheme: StemScheme, lexemesMax: number): void {
    for (const { words, at, cjk, emoji } of tokens) {
      const place = `${Math.min(this.offset + at, lastPosition)}${weight}`;
      for (const word of words) {
        const stems = indexedStems(word, scheme);
        // A search may look for the stems alone.
        if (!this.addPlace(word, place, lexemesMax - stems.length)) continue;
        if (!cjk && !emoji) this.words.add(word);
        for (const stem of stems) this.addPlace(stem, place, lexemesMax);
      }
    }
    this.offset += (tokens.at(-1)?.at ?? 0) + fieldDistance;
  }

  /** Returns the literal of all lexemes, and the words among them. */
  finish(): { vector: string; words: Set<string> } {
    const parts = Array.from(this.facets, quote);
    for (const [lexeme, places] of this.lexemes) parts.push(`${quote(lexeme)}:${places.join(',')}`);
    return { vector: parts.join(' '), words: this.words };
  }

  /** Returns whether the lexeme is in the vector now. */
  private addPlace(lexeme: string, place: string, lexemesMax: number): boolean {
    const places = this.lexemes.get(lexeme);
    if (places === undefined) {
      const size = Buffer.byteLength(lexeme) + lexemeOverhead;
      if (this.lexemes.size >= lexemesMax || this.bytes + size > bytesMax) return false;
      this.bytes += size;
      this.lexemes.set(lexeme, [place]);
    } else if (places.length < positionsMax && this.bytes < bytesMax && places.at(-1) !== place) {
      this.bytes += 2;
      places.push(place);
    }
    return true;
  }
}

function quote(lexeme: string): string {
  return `'${lexeme.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}
