import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const inlineScript = /<script(?: id="[^"]*")?>(.*?)<\/script>\s*/gs;

/**
 * Moves the scripts inside of built pages, which are the same in all of them, to a file that the pages load before they are painted.
 * Throws an error if a page then still has a script or a style sheet of its own, which the security policy of a server would not let run.
 */
export function moveScripts(folder: string, base: string): void {
  const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.html'),
  );
  const written = new Set<string>();
  for (const name of pages) {
    const path = join(folder, name);
    const html = readFileSync(path, 'utf8');
    const script = [...html.matchAll(inlineScript)].map(([, code = '']) => `${code.trim()}\n`).join(';');
    const hash = createHash('sha256').update(script).digest('base64url').slice(0, 8);
    const file = `assets/before-paint.${hash}.js`;
    if (!written.has(file)) writeFileSync(join(folder, file), script);
    written.add(file);
    const moved = html
      .replaceAll(inlineScript, '')
      .replace('</title>', `</title>\n    <script src="${base}${file}"></script>`);
    if (/<script(?![^>]* src=)[^>]*>|<style|\son\w+="/.test(withoutCode(moved)))
      throw new Error(`${name} has a script or a style sheet inside, which the security policy forbids.`);
    writeFileSync(path, moved);
  }
}

/** Escaped code cannot be mistaken for elements, but for attributes. */
function withoutCode(html: string): string {
  return html.replaceAll(/<pre.*?<\/pre>|<code.*?<\/code>/gs, '');
}
