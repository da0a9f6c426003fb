import { describe, expect, it } from 'vitest';
import { checkSpecRules, readCoverage } from './check-spec-rules.ts';
import { parseSource } from './source-file.ts';
import { readSpec } from './spec-document.ts';

const spec = `# Specification
## What the service does
1. Requests are JSON.
### Messages
Rules:

1. A repeated id returns the original.
12. Twelfth.

| Method | Path | Request |
|---|---|---|
| POST | /messages | a body |
| GET | /messages | none |

## Errors

| Status | Code | Condition |
|:--|--|--:|
| 400 | (not a fixed code) | malformed |
| 409 | \`address_taken\` | in use |

## Limits
| Limit | Value |
|---|---|
| Inboxes, Pro | 100 |
`;
const files = (...tests: string[]) => [
  parseSource('docs/spec/service.md', spec),
  ...tests.map((text, index) => parseSource(`server/test/spec/t${index}.spec.ts`, text)),
];

it('reads numbered rules and rows of tables, each with an id', () => {
  expect(readSpec(spec).map(({ id }) => id)).toEqual([
    'Conventions 1',
    'Messages 1',
    'Messages 12',
    'Messages POST /messages',
    'Messages GET /messages',
    'Errors 400',
    'Errors 409 address_taken',
    'Limits Inboxes, Pro',
  ]);
  expect(readSpec(spec)[1]).toMatchObject({ section: 'Messages', line: 7 });
});

describe('a test names a rule', () => {
  const uncovered = (...tests: string[]) => readCoverage(files(...tests)).uncovered.map(({ id }) => id);

  it('by the start of its name, also in a table of cases', () => {
    const covered = uncovered(
      "it('Messages 1: answers the original', f);",
      "it.each([['Errors 409 address_taken', 409]])('%s', f);",
      "it('Limits Inboxes, Pro: holds', f);",
    );
    expect(covered).not.toContain('Messages 1');
    expect(covered).not.toContain('Errors 409 address_taken');
    expect(covered).not.toContain('Limits Inboxes, Pro');
  });

  it('together with others', () => {
    const left = uncovered("it('Messages 1, Messages 12: both', f);");
    expect(left).not.toContain('Messages 1');
    expect(left).not.toContain('Messages 12');
  });

  it('and no other one that starts alike', () => {
    expect(uncovered("it('Messages 12: holds', f);")).toContain('Messages 1');
    expect(uncovered("it('see Messages 1: holds', f);")).toContain('Messages 1');
  });
});

it('fails for the rules that are required, by section or one by one', () => {
  const required = { Messages: ['1', 'POST /messages'], Errors: 'all' as const };
  const test = "it('Messages 1: holds', f); it('Errors 400: holds', f);";
  expect(checkSpecRules(files(test), required)).toMatchObject([
    { path: 'docs/spec/service.md', message: expect.stringContaining('"Messages POST /messages:"') },
    { message: expect.stringContaining('"Errors 409 address_taken:"') },
  ]);
});

it('fails for a required rule that is not in the document', () => {
  const findings = checkSpecRules(files(), { Messages: ['99'], Carts: 'all' });
  expect(findings.map(({ message }) => message)).toEqual([
    '"Messages 99" is not in docs/spec/service.md',
    '"Carts" is not in docs/spec/service.md',
  ]);
});
