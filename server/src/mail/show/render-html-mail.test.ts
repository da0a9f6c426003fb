import { describe, expect, test } from 'vitest';
import { renderHtmlMail, type ShowOptions, showLimits } from './render-html-mail.ts';

const pixel = 'data:image/gif;base64,R0lGODlhAQABAAAAACw=';
const options: ShowOptions = { title: 'Hello', lang: 'en', remoteImages: false, inlineImages: {} };

function renderBody(html: string, changed: Partial<ShowOptions> = {}): string {
  const { document } = renderHtmlMail(html, { ...options, ...changed });
  return /<body[^>]*>\n([\s\S]*)\n<\/body>/.exec(document)?.[1] ?? '';
}

describe('renderHtmlMail', () => {
  test('returns a complete document with a language and a title', () => {
    const { document } = renderHtmlMail('<p>Hi</p>', { ...options, title: '</title><script>' });
    expect(document).toMatch(/^<!doctype html>\n<html lang="en">/);
    expect(document).toContain('<title>&lt;/title&gt;&lt;script&gt;</title>');
    expect(renderHtmlMail('<html lang="pt-BR"><p>Oi', options).document).toContain('<html lang="pt-BR">');
    expect(renderHtmlMail('<html lang="x y"><p>Oi', options).document).toContain('<html lang="en">');
  });

  test('keeps tables, inline styles and old attributes', () => {
    const html =
      '<table width="600" bgcolor="#ffffff" cellpadding="0"><tbody><tr><td align="center" style="padding:4px">' +
      '<font color="red">Hi</font></td></tr></tbody></table>';
    expect(renderBody(html)).toBe(html);
  });

  test('keeps style sheets with their media, in order, and the colours of the body', () => {
    const { document } = renderHtmlMail(
      '<head><style>a{color:red}</style></head><body bgcolor="#eee" onload="x()"><p>Hi<style media="print">b{}</style>',
      options,
    );
    expect(document).toContain('<style>a{color:red}</style>\n<style media="print">b{}</style>\n</head>');
    expect(document).toContain('<body bgcolor="#eee">');
  });

  test('links open a new tab that learns nothing', () => {
    const attributes = 'target="_blank" rel="noopener noreferrer nofollow"';
    expect(
      renderBody('<a href="http://a.test/?b&amp;c" target="_top" rel="opener" ping="http://p.test">x</a>'),
    ).toBe(`<a href="http://a.test/?b&amp;c" ${attributes}>x</a>`);
    expect(renderBody('<a href="mailto:a@a.test">x</a>')).toBe(
      `<a href="mailto:a@a.test" ${attributes}>x</a>`,
    );
    expect(renderBody('<a href="//a.test">x</a>')).toBe(`<a href="https://a.test/" ${attributes}>x</a>`);
    expect(renderBody('<a href="#part">x</a>')).toBe('<a href="#part">x</a>');
  });

  test.each([
    'javascript:alert(1)',
    ' jAvA\tscript:alert(1)',
    'vbscript:x',
    'data:text/html,x',
    '/console/api',
    'x',
    'ms-word:x',
    'http://',
  ])('a link to %s leads nowhere', (address) => {
    expect(renderBody(`<a href="${address}">x</a>`)).toBe('<a>x</a>');
  });

  test('counts the remote images that it holds back, and keeps their place', () => {
    const html = `<img src="http://a.test/1.png" width="1"><p style="background:url(//a.test/2)">x</p>
      <table background="https://a.test/3"></table><style>a{background:url(http://a.test/4)}</style>`;
    const held = renderHtmlMail(html, options);
    expect(held.remoteImagesHeld).toBe(4);
    expect(held.document).not.toContain('a.test');
    expect(held.document).toContain('<img width="1" alt="" />');
    const shown = renderHtmlMail(html, { ...options, remoteImages: true });
    expect(shown.remoteImagesHeld).toBe(0);
    expect(shown.document.match(/https?:\/\/a\.test\/\d/g)).toHaveLength(4);
  });

  test('shows inline images by their Content-ID, in any spelling, and counts those that are missing', () => {
    const inlineImages = { 'a+1@b': pixel };
    const html = '<img src="cid:a+1@b"><img src="CID:a%2B1@b"><img src="cid:toString"><img src="cid:%">';
    const shown = renderHtmlMail(html, { ...options, inlineImages });
    expect(shown.document.split(pixel)).toHaveLength(3);
    expect(shown).toMatchObject({ inlineImagesMissing: 2, remoteImagesHeld: 0 });
  });

  test('shows images in data addresses only if they are made of pixels', () => {
    expect(renderBody(`<img src="${pixel}">`)).toContain(pixel);
    expect(renderBody('<img src="data:image/svg+xml;base64,PHN2Zz4=">')).toBe('<img alt="" />');
    expect(renderBody('<img src="data:text/html;base64,PHN2Zz4=">')).toBe('<img alt="" />');
  });

  test('drops what is not text together with its content, and keeps the text of a form', () => {
    expect(
      renderBody(
        '<script>1</script><title>2</title><textarea>3</textarea><svg><text>4</text></svg><template>5</template>' +
          '<form action="http://a.test"><label>Name</label><input value="6"><button>Send</button></form>',
      ),
    ).toBe('NameSend');
  });

  test('a mail with too much of anything is cut, and says so', () => {
    const long = renderHtmlMail('x'.repeat(showLimits.htmlLengthMax + 1), options);
    expect(long.cut).toBe(true);
    const many = renderHtmlMail('<br>'.repeat(showLimits.tagsMax + 1), options);
    expect(many.cut).toBe(true);
    expect(many.document.match(/<br/g)).toHaveLength(showLimits.tagsMax);
    expect(renderHtmlMail('<br>'.repeat(showLimits.tagsMax), options).cut).toBe(false);
  });

  test('elements below the deepest level keep their text', () => {
    const body = renderBody(`${'<div>'.repeat(1_000)}deep`);
    expect(body.match(/<div>/g)).toHaveLength(showLimits.depthMax);
    expect(body).toContain('deep');
  });
});
