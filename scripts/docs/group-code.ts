/** The languages of examples that say the same, and their names in a group. */
const names: Record<string, string> = { sh: 'curl', js: 'TypeScript', ts: 'TypeScript', python: 'Python' };

const run = /(?:^```(?:sh|js|ts|python)\n.*?^```\n\n?){2,}/gms;

/** Puts blocks of code that follow each other, each in another language and the first with curl, into a group of tabs. */
export function groupCode(markdown: string): string {
  return markdown.replaceAll(run, (whole) => {
    const blocks = [...whole.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language = '', code = '']) => ({
      language,
      code,
    }));
    const languages = new Set(blocks.map(({ language }) => names[language]));
    if (languages.size < blocks.length || !blocks[0]?.code.includes('curl ')) return whole;
    const tabs = blocks.map(
      ({ language, code }) => `\`\`\`${language} [${names[language]}]\n${code}\`\`\`\n`,
    );
    return `::: code-group\n\n${tabs.join('\n')}\n:::\n\n`;
  });
}
