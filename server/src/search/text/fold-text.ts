/** Letters that no decomposition turns into plain ones, and the spelling under which they are found. */
const spellings: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  ħ: 'h',
  ŋ: 'n',
  ς: 'σ',
  ى: 'ي',
  ی: 'ي',
  ک: 'ك',
};

const letters = Object.keys(spellings).join('');
// The marks of Indic and South-East Asian scripts are vowels, and those of Kana make other letters, so all these stay.
const accent =
  '(?![\\u3099\\u309a])(?=\\p{M})[\\p{sc=Inherited}\\p{sc=Latin}\\p{sc=Greek}\\p{sc=Cyrillic}\\p{sc=Hebrew}\\p{sc=Arabic}]';
const invisible = '[\\p{Default_Ignorable_Code_Point}\\p{Emoji_Modifier}\\u0640]';
const digits = '[\\u0660-\\u0669\\u06f0-\\u06f9\\u0966-\\u096f]';
const respelled = new RegExp(`${accent}|${invisible}|[${letters}]|${digits}`, 'gu');
const plain = /^[\t\n\r -~]*$/;

/**
 * Returns the text in the one spelling under which it is indexed and looked up: lower case, without accents, ligatures, full-width forms
 * and invisible characters. Two spellings of a word that people take for the same fold alike.
 */
export function foldText(text: string): string {
  if (plain.test(text)) return text.toLowerCase();
  const respelt = text.normalize('NFKD').toLowerCase().replace(respelled, respell);
  return plain.test(respelt) ? respelt : respelt.normalize('NFC');
}

function respell(character: string): string {
  const code = character.charCodeAt(0);
  if (code >= 0x966 && code <= 0x96f) return String(code - 0x966);
  if ((code >= 0x660 && code <= 0x669) || (code >= 0x6f0 && code <= 0x6f9)) return String(code & 0xf);
  return spellings[character] ?? '';
}
