/*
 * Writes the meanings of the API's errors for the console from the contract, because the contract itself, with its schemas, is larger than
 * all pages together. With `--check` it writes nothing, and exits with 1 if the file differs from what it would write.
 */
import { errorCodes, errors } from '../contract/src/index.ts';
import { writeOrCheck } from './generated-file.ts';

const path = 'console/src/strings/en/generated/error-meanings.ts';

function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, (character) => `\\${character}`)}'`;
}

/** Pages show plain text, in which marks of code would be read as quotation marks. */
function plain(text: string): string {
  return text.replaceAll('`', '');
}

const entries = errorCodes.map((code) => {
  const { meaning, message, retry } = errors[code];
  return `  ${code}: {
    meaning: ${quoted(plain(meaning))},
    message: ${quoted(plain(message))},
    retry: ${quoted(retry)},
  },
`;
});

const text = `// Generated from the contract by scripts/console-errors.ts. Do not edit.

/** What an error of the API means, what to do, and whether the request may be repeated. */
export interface ErrorMeaning {
  meaning: string;
  message: string;
  retry: 'fix' | 'upgrade' | 'wait' | 'never';
}

/** The errors of the API by their codes. */
export const errorMeanings: Record<string, ErrorMeaning> = {
${entries.join('')}};
`;

await writeOrCheck('console-errors', [{ path, text }]);
