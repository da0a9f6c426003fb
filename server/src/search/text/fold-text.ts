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

const special = new RegExp(`[${Object.keys(spellings).join('')}]`, 'gu');
// The marks of Indic and South-East Asian scripts are vowels, and those of Kana make other letters, so all these stay.
const accents =
  /(?![\u3099\u309a])(?=\p{M})[\p{sc=Inherited}\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Hebrew}\p{sc=Arabic}]/gu;
const invisible = /[\p{Default_Ignorable_Code_Point}\p{Emoji_Modifier}\u0640]/gu;
const foreignDigits = /[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f]/gu;
const plain = /^[\t\n\r -~]*$/;

/**
 * Returns the text in the one spelling under which it is indexed and looked up: lower case, without accents, ligatures, full-width forms and
 * invisible characters. Two spellings of a word that people take for the same fold alike.
 */
export function foldText(text: string): string {
  if (plain.test(text)) return text.toLowerCase();
  return text
    .normalize('NFKD')
    .replace(accents, '')
    .replace(invisible, '')
    .toLowerCase()
    .replace(accents, '')
    .replace(special, (letter) => spellings[letter]!)
    .replace(foreignDigits, (digit) =>
      String(digit < '\u0966' ? digit.charCodeAt(0) & 0xf : digit.charCodeAt(0) - 0x966),
    )
    .normalize('NFC');
}
