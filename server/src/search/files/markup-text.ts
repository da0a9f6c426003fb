import type { TextCollector } from './collect-text.ts';
import { scanMarkup } from './scan-markup.ts';

/** Which elements of a kind of XML have text, and what they look like. */
export interface MarkupRules {
  /** Only the text in these elements counts. */
  textIn: Set<string>;
  /** The elements that end a line. */
  lineAfter: Set<string>;
  /** The elements that are followed by a blank. */
  blankAfter: Set<string>;
  /** The elements whose text is left out. */
  without: Set<string>;
}

/** Adds the text of XML to a collector, until that is full. */
export function addMarkupText(xml: string, rules: MarkupRules, collector: TextCollector): void {
  let textDepth = 0;
  let leftOut: string | null = null;
  let leftOutDepth = 0;
  scanMarkup(xml, {
    open: (name) => {
      if (name === leftOut || (leftOut === null && rules.without.has(name))) {
        leftOut = name;
        leftOutDepth += 1;
      }
      if (rules.textIn.has(name)) textDepth += 1;
    },
    close: (name) => {
      if (name === leftOut) {
        leftOutDepth -= 1;
        if (leftOutDepth === 0) leftOut = null;
      }
      if (rules.textIn.has(name)) textDepth = Math.max(0, textDepth - 1);
      if (rules.lineAfter.has(name)) collector.add('\n');
      else if (rules.blankAfter.has(name)) collector.add(' ');
    },
    text: (text) => {
      if (textDepth > 0 && leftOut === null) collector.add(text);
    },
    isDone: () => collector.isFull(),
  });
}
