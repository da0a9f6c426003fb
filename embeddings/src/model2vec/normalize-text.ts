/** A part of `tokenizer.json`: a type, and what belongs to it. */
export interface Step {
  type: string;
  [setting: string]: unknown;
}

type Normalize = (text: string) => string;

/** Returns what a tokenizer does to a text first, from the part `normalizer` of its file. Throws an Error for a step that is not known. */
export function createNormalizer(step: Step | null): Normalize {
  if (step === null) return (text) => text;
  const create = steps.get(step.type);
  if (!create)
    throw new Error(`The tokenizer has a normalizer of type "${step.type}", which is not supported.`);
  return create(step);
}

const steps = new Map<string, (step: Step) => Normalize>(
  Object.entries<(step: Step) => Normalize>({
    Sequence: ({ normalizers }) => {
      const all = (normalizers as Step[]).map(createNormalizer);
      return (text) => all.reduce((so, normalize) => normalize(so), text);
    },
    BertNormalizer: bertNormalizer,
    Lowercase: () => (text) => text.toLowerCase(),
    StripAccents: () => (text) => text.replace(/\p{Mn}/gu, ''),
    NFC: () => (text) => text.normalize('NFC'),
    NFD: () => (text) => text.normalize('NFD'),
    NFKC: () => (text) => text.normalize('NFKC'),
    NFKD: () => (text) => text.normalize('NFKD'),
    Nmt: () => spaced,
    // The compiled rules of SentencePiece are these two, with a few exceptions.
    Precompiled: () => (text) => spaced(text).normalize('NFKC'),
    Replace: ({ pattern, content }) => {
      const found = readPattern(pattern);
      return (text) => text.replaceAll(found, () => String(content));
    },
    Strip:
      ({ strip_left: left, strip_right: right }) =>
      (text) => {
        const begun = left === false ? text : text.trimStart();
        return right === false ? begun : begun.trimEnd();
      },
    Prepend:
      ({ prepend }) =>
      (text) =>
        text === '' ? text : `${String(prepend)}${text}`,
  }),
);

function bertNormalizer(step: Step): Normalize {
  const lowers = step.lowercase !== false;
  const strips = step.strip_accents ?? lowers;
  return (text) => {
    let result = step.clean_text === false ? text : cleaned(text);
    if (step.handle_chinese_chars !== false) result = result.replace(/\p{Unified_Ideograph}/gu, ' $& ');
    if (strips === true) result = result.normalize('NFD').replace(/\p{Mn}/gu, '');
    return lowers ? result.toLowerCase() : result;
  };
}

/** Returns the text without characters that nobody sees, and with a plain space for each other kind of space. */
function cleaned(text: string): string {
  return text.replace(/[\t\n\r\p{Zs}]/gu, ' ').replace(/[\p{Cc}\p{Cf}\ufffd]/gu, '');
}

/** The same as SentencePiece does it: some of the invisible characters become spaces, too. */
function spaced(text: string): string {
  return text.replace(/[\t\n\f\r\u1680\u200b-\u200f\u2028\u2029\ufeff\ufffd]/gu, ' ').replace(/\p{Cc}/gu, '');
}

function readPattern(pattern: unknown): string | RegExp {
  const { String: text, Regex: source } = (pattern ?? {}) as { String?: string; Regex?: string };
  if (text !== undefined) return text;
  if (source === undefined) throw new Error('The tokenizer replaces a pattern that is not supported.');
  return new RegExp(source, 'gu');
}
