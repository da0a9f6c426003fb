import ts from 'typescript';
import { requiredRules } from '../spec-rules.ts';
import type { Finding, SourceFile } from './source-file.ts';
import { visit } from './source-file.ts';
import { readSpec, type SpecRule } from './spec-document.ts';

const specPath = 'docs/spec/service.md';

/** The coverage of the specification by tests. */
export interface Coverage {
  rules: SpecRule[];
  uncovered: SpecRule[];
}

/** Returns the rules of the specification, and those that no test names. A test names a rule if a text in it starts with the rule's id. */
export function readCoverage(files: SourceFile[]): Coverage {
  const rules = readSpec(files.find(({ path }) => path === specPath)?.text ?? '');
  const texts = files.filter(({ isTest }) => isTest).flatMap(listTexts);
  return { rules, uncovered: rules.filter(({ id }) => !texts.some((text) => names(text, id))) };
}

/** Reports the rules that `requiredRules` requires to be tested and that no test names. */
export function checkSpecRules(files: SourceFile[], required = requiredRules): Finding[] {
  const { rules, uncovered } = readCoverage(files);
  const wanted = ({ id, section }: SpecRule) => {
    const of = required[section];
    return of === 'all' || (of?.includes(id.slice(section.length + 1)) ?? false);
  };
  return [
    ...uncovered.filter(wanted).map(({ id, line }) => ({
      path: specPath,
      line,
      message: `no test names this rule: write one whose name starts with "${id}:"`,
    })),
    ...unknownNames(rules, required),
  ];
}

function unknownNames(rules: SpecRule[], required: typeof requiredRules): Finding[] {
  return Object.entries(required).flatMap(([section, of]) => {
    const ids = of === 'all' ? [] : of.map((key) => `${section} ${key}`);
    const missing = ids.filter((id) => !rules.some((rule) => rule.id === id));
    if (!rules.some((rule) => rule.section === section)) missing.push(section);
    return missing.map((name) => ({
      path: 'scripts/spec-rules.ts',
      line: 1,
      message: `"${name}" is not in ${specPath}`,
    }));
  });
}

function listTexts({ tree }: SourceFile): string[] {
  const texts: string[] = [];
  if (tree)
    visit(tree, (node) => {
      if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node)) texts.push(node.text);
    });
  return texts;
}

/** Returns whether a text names a rule. `Messages 2: …` names one rule; `Messages 2, Messages 3: …` names two. */
function names(text: string, id: string): boolean {
  return text.startsWith(id)
    ? /^($|[:,\s])/.test(text.slice(id.length))
    : text.split(':')[0]?.split(', ').includes(id) === true;
}
