import { expect, it } from 'vitest';
import { checkParameters } from './check-parameters.ts';
import { parseSource } from './source-file.ts';

/** Returns the number of findings in a file. In its SQL, `@name` stands for a value that is put in. */
const findingsIn = (text: string): number => {
  const source = text.replaceAll(/@([\w.]+(?:\(\w+\))?)/g, (_, value) => `\${${value}}`);
  return checkParameters([parseSource('server/src/drafts/x.ts', source)]).length;
};
const checkSql = (sql: string) => findingsIn(`const x = sql\`${sql}\`;`);

it('refuses a choice of parameters alone', () => {
  expect(checkSql('case when is_on then @now else @later end')).toBe(1);
  expect(checkSql('case when a(b) is null and c(d) then @now when f then null end')).toBe(1);
  expect(checkSql('select coalesce(@first, @second)')).toBe(1);
  expect(checkSql('greatest(@a, least(@b, @c))')).toBe(1);
  expect(checkSql('case when a then case when b then @now end else @later end')).toBe(1);
});

it('takes a choice in which one value has a type', () => {
  expect(checkSql('case when is_on then @now::timestamptz else @later end')).toBe(0);
  expect(checkSql('case when is_on then due_at else @later end')).toBe(0);
  expect(checkSql('coalesce(max(seq), @first)')).toBe(0);
  expect(checkSql('case level when @level then 1 else 2 end')).toBe(0);
  expect(checkSql('case when a then @sql.ref(column) end')).toBe(0);
  expect(checkSql("select 'end', @now, nullif(name, '')")).toBe(0);
});

it('takes SQL of the same file for what it is', () => {
  const cut = 'const cut = (name: string) => sql`left(@sql.ref(name), 9)`;';
  expect(findingsIn(`${cut} const x = sql\`case when a then @cut(b) end\`;`)).toBe(0);
});
