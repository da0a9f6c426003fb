import ts from 'typescript';
import { requiredRules } from '../spec-rules.ts';
import type { Finding, SourceFile } from './source-file.ts';
import { visit } from './source-file.ts';
import { readSpec, type SpecRule } from './spec-document.ts';

const specPath = 'docs/spec/service.md';

/** What the tests say about the specification. */
export interface Coverage {
  rules: SpecRule[];
  uncovered: SpecRule[];
}

/** Finds the rules of the specification that no test names. A test names a rule when a text in it starts with the rule's id. */
export const readCoverage = (files: SourceFile[]): Coverage => {
  const rules = readSpec(files.find(({ path }) => path === specPath)?.text ?? '');
  const texts = files.filter(({ isTest }) => isTest).flatMap(textsOf);
  return { rules, uncovered: rules.filter(({ id }) => !texts.some((text) => names(text, id))) };
};

/** Reports the rules that `requiredRules` wants to be tested and that no test names. */
export const checkSpecRules = (files: SourceFile[], required = requiredRules): Finding[] => {
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
};

const unknownNames = (rules: SpecRule[], required: typeof requiredRules): Finding[] =>
  Object.entries(required).flatMap(([section, of]) => {
    const ids = of === 'all' ? [] : of.map((key) => `${section} ${key}`);
    const missing = ids.filter((id) => !rules.some((rule) => rule.id === id));
    if (!rules.some((rule) => rule.section === section)) missing.push(section);
    return missing.map((name) => ({
      path: 'scripts/spec-rules.ts',
      line: 1,
      message: `"${name}" is not in ${specPath}`,
    }));
  });

const textsOf = ({ tree }: SourceFile): string[] => {
  const texts: string[] = [];
  if (tree)
    visit(tree, (node) => {
      if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node)) texts.push(node.text);
    });
  return texts;
};

/** `Messages 2: …` names one rule; `Messages 2, Messages 3: …` names two. */
const names = (text: string, id: string): boolean =>
  text.startsWith(id)
    ? /^($|[:,\s])/.test(text.slice(id.length))
    : text.split(':')[0]?.split(', ').includes(id) === true;
