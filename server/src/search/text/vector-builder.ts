import { stemOf } from './stem-of.ts';
import type { Token } from './tokens-of.ts';

/** The weight of a field: A subject, B names and addresses, C new text, D the rest. */
export type Weight = 'A' | 'B' | 'C' | 'D';

const lexemesMax = 4_000;
/** Postgres keeps no more positions of a lexeme. */
const positionsMax = 255;
const lastPosition = 16_383;
/** Between two fields, so that no phrase spans them. */
const fieldDistance = 8;
const vocabularyWord = /^[\p{L}\p{N}\p{M}@._+'&-]{2,24}$/u;

/** Collects the lexemes of one message. */
export class VectorBuilder {
  private readonly lexemes = new Map<string, string[]>();
  private readonly words = new Set<string>();
  private offset = 0;

  addFacet(lexeme: string): void {
    if (this.lexemes.size < lexemesMax && !this.lexemes.has(lexeme)) this.lexemes.set(lexeme, []);
  }

  /** Adds the tokens of a field after those of the fields before. */
  addText(tokens: Token[], weight: Weight): void {
    for (const { words, at, cjk } of tokens) {
      const place = `${Math.min(this.offset + at, lastPosition)}${weight}`;
      for (const word of words) {
        if (!this.addPlace(word, place)) continue;
        if (cjk === undefined && vocabularyWord.test(word)) this.words.add(word);
        const stem = stemOf(word);
        if (stem !== word) this.addPlace(`~${stem}`, place);
      }
    }
    this.offset += (tokens.at(-1)?.at ?? 0) + fieldDistance;
  }

  /** Returns the literal and the vocabulary. */
  finish(): { vector: string; words: string[] } {
    const parts: string[] = [];
    for (const [lexeme, places] of this.lexemes) {
      parts.push(places.length === 0 ? quote(lexeme) : `${quote(lexeme)}:${places.join(',')}`);
    }
    return { vector: parts.join(' '), words: [...this.words] };
  }

  private addPlace(lexeme: string, place: string): boolean {
    const places = this.lexemes.get(lexeme);
    if (places === undefined) {
      if (this.lexemes.size >= lexemesMax) return false;
      this.lexemes.set(lexeme, [place]);
    } else if (places.length < positionsMax) {
      places.push(place);
    }
    return true;
  }
}

function quote(lexeme: string): string {
  return `'${lexeme.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}
