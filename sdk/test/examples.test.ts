import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import ts from 'typescript-5.9';
import { describe, expect, it, onTestFinished } from 'vitest';

const sdkFolder = fileURLToPath(new URL('..', import.meta.url));
const sources = [
  'src/*.ts',
  'src/resources/*.ts',
  'src/webhooks/*.ts',
  'src/testing/*.ts',
  'src/management/*.ts',
];
/** Names that no outsider has. */
const hidden = [
  'Caller',
  'EventSocket',
  'LogReader',
  'MailFollower',
  'PersistentRequests',
  'ReadMessages',
].concat(['WaitTime', 'AnswerPage', 'BodyCollector', 'FakeMailbox']);

interface Documented {
  name: string;
  examples: string[];
}

function findExamples(node: ts.Node): string[] {
  const tags = ts.getJSDocTags(node).filter(({ tagName }) => tagName.text === 'example');
  return tags.map(({ comment }) => ts.getTextOfJSDocComment(comment) ?? '');
}

function isPublicMethod(member: ts.ClassElement): boolean {
  const isMethod = ts.isMethodDeclaration(member) || ts.isConstructorDeclaration(member);
  return isMethod && (member.name === undefined || ts.isIdentifier(member.name));
}

/** The public methods of the classes that users are given, each with the examples of its comment. */
function documentedMethods(): Documented[] {
  return globSync(sources, { cwd: sdkFolder, exclude: ['**/*.test.ts'] }).flatMap((file) => {
    const text = readFileSync(join(sdkFolder, file), 'utf8');
    const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
    return tree.statements.filter(ts.isClassDeclaration).flatMap((statement) => {
      const name = statement.name?.text ?? '';
      const isHidden = hidden.includes(name) || /^(Management)?Resource$/.test(name) || /Error$/.test(name);
      const members = isHidden ? [] : statement.members.filter(isPublicMethod);
      const isOwn = (member: ts.ClassElement) => name === 'Postrider' || !ts.isConstructorDeclaration(member);
      return members.filter(isOwn).map((member) => ({
        name: `${name}.${member.name?.getText() ?? 'new'}`,
        examples: findExamples(member),
      }));
    });
  });
}

/** The functions of the entries beside the main one. */
function documentedFunctions(): Documented[] {
  const names = ['webhooks', 'testing'].flatMap((entry) => {
    const text = readFileSync(join(sdkFolder, `src/${entry}.ts`), 'utf8');
    return [...text.matchAll(/\b[a-z]\w+\b(?=[^'}]*\} from)/g)].map(([name]) => name);
  });
  return globSync(sources.slice(2, 4), { cwd: sdkFolder, exclude: ['**/*.test.ts'] }).flatMap((file) => {
    const text = readFileSync(join(sdkFolder, file), 'utf8');
    const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
    const functions = tree.statements.filter(ts.isFunctionDeclaration);
    return functions
      .filter(({ name }) => name !== undefined && names.includes(name.text))
      .map((statement) => ({ name: statement.name?.text ?? '', examples: findExamples(statement) }));
  });
}

const all = [...documentedMethods(), ...documentedFunctions()];

/** The names that every example may use without an import. */
const context = `
declare global {
  const client: import('postrider').Postrider;
  const manager: import('postrider/management').Management;
  const inbox: import('postrider').Inbox;
  const message: import('postrider').Message;
  const request: Request;
  function load(): Promise<string | undefined>;
  function store(text: string | null): Promise<void>;
  function answer(message: import('postrider').Message): Promise<string>;
}
export {};
`;

describe('the examples in the comments', () => {
  it.each(all)('$name has one', ({ examples }) => {
    expect(examples.length).toBeGreaterThan(0);
  });

  it('are there for more than 60 methods and functions', () => {
    expect(all.length).toBeGreaterThan(60);
  });

  it('all compile strictly', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sdk-examples-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const paths = Object.fromEntries(
      ['', '/webhooks', '/testing', '/management'].map((entry) => [
        `postrider${entry}`,
        [join(sdkFolder, 'src', `${entry.slice(1) || 'index'}.ts`)],
      ]),
    );
    const files = all.flatMap(({ name, examples }) =>
      examples.map((text, index) => ({ file: `${name}-${index}.mts`, text })),
    );
    await writeFile(join(folder, 'context.d.ts'), context);
    for (const { file, text } of files) {
      const imports = text.includes('import ')
        ? ''
        : [
            text.includes('new Postrider(') ? importClient : '',
            text.includes('new Management(') ? importManagement : '',
          ].join('');
      await writeFile(join(folder, file), `${imports}${text}\nexport {};\n`);
    }
    const compilerOptions = {
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      target: 'es2023',
      module: 'nodenext',
      lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'],
      types: ['node'],
      typeRoots: [join(sdkFolder, 'node_modules', '@types')],
      allowImportingTsExtensions: true,
      paths,
    };
    const config = { compilerOptions, files: ['context.d.ts', ...files.map(({ file }) => file)] };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
    const tsc = join(sdkFolder, 'node_modules', 'typescript-5.9', 'bin', 'tsc');
    const { stdout } = await promisify(execFile)(process.execPath, [tsc, '--project', folder]).catch(
      (error: { stdout: string }) => error,
    );
    expect(stdout).toBe('');
  });
});

const importClient = "import { Postrider } from 'postrider';\n";
const importManagement = "import { Management } from 'postrider/management';\n";
