/*
 * A setup file of all tests with a database. Work that is tried again hides the error of a statement whose parameters have no type, and
 * does nothing for good. So each statement that the database refuses for its types fails the test in which it was sent. And nobody fakes
 * the time of a process in which the shared server runs.
 */
import pg from 'pg';
import { afterEach, vi } from 'vitest';

/** SQLSTATEs: datatype mismatch, indeterminate datatype, ambiguous function, cannot coerce. */
const typeErrors = ['42804', '42P18', '42725', '42846'];

interface Refusal {
  code: string;
  message: string;
}

/** The private parts of a client of `pg` through which each refusal comes, whatever sent the statement. */
interface Refusing {
  _activeQuery: { text?: string } | null;
  _handleErrorMessage(refusal: Refusal): void;
}

const refused: string[] = [];
const client = pg.Client.prototype as unknown as Refusing & { notesTypes?: true };

// Test files share the modules of a process.
if (!client.notesTypes) {
  const handle = client._handleErrorMessage;
  client._handleErrorMessage = function note(this: Refusing, refusal) {
    if (typeErrors.includes(refusal.code)) refused.push(`${refusal.message}: ${this._activeQuery?.text}`);
    handle.call(this, refusal);
  };
  client.notesTypes = true;
}

const fake = vi.useFakeTimers;
if (!('guards' in fake))
  vi.useFakeTimers = Object.assign(
    (...options: Parameters<typeof fake>) => {
      if ('postriderTestServer' in globalThis)
        throw new Error(
          'The server that test files share still runs: call `endSharedServer` in `beforeAll`.',
        );
      return fake.apply(vi, options);
    },
    { guards: true },
  );

afterEach(() => {
  const statements = [...new Set(refused.splice(0))];
  if (statements.length > 0)
    throw new Error(`The database refused for their types:\n${statements.join('\n')}`);
});
