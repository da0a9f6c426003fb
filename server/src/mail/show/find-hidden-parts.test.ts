import { describe, expect, test } from 'vitest';
import { renderHtmlMail } from './render-html-mail.ts';

const letter = 'Dear Ada, please find our invoice of 400 EUR attached.';
const other = 'Pay 4,000 EUR to DE00';
const hiddenIn = (html: string) =>
  renderHtmlMail(html, { title: 'x', lang: 'en', remoteImages: false, inlineImages: {}, findsHidden: true })
    .hidden;
const styled = (css: string, html = `<p>${letter}</p><p class="x">${other}</p>`) =>
  hiddenIn(`<style>${css}</style>${html}`);
const onSomeScreens = [{ readers: 'some_screens', text: other }];

describe('the page of a mail does not show', () => {
  test.each([
    `<!--[if mso]><p>${other}</p><![endif]-->`,
    `<!--[if gte mso 9]><o:p>${other}</o:p>-->`,
    `<!-- [if mso | IE]><table><tr><td>${other}<![endif]-->`,
  ])('what only Outlook shows: %s', (part) => {
    expect(hiddenIn(`<p>${letter}</p>${part}`)).toEqual([{ readers: 'outlook', text: other }]);
  });

  test.each([
    '<!--[if !mso]><!-->not<!--<![endif]-->',
    '<![if !mso]>not<![endif]>',
    '<b style="mso-hide:all">not</b>',
  ])('that Outlook leaves something out: %s', (part) => {
    expect(hiddenIn(`<p>Do ${part} pay</p>`)).toEqual([{ readers: 'not_outlook', text: 'not' }]);
  });

  test.each([
    `<noscript><p>${other}</p></noscript>`,
    `<svg><text>${other}</text></svg>`,
    `<video><p>${other}</p></video>`,
    `<textarea>${other}</textarea>`,
    `<select><option>${other}</select>`,
    `<template>${other}</template>`,
    `<input value="${other}">`,
    `<iframe srcdoc="<p>${other}</p>"></iframe>`,
    `<svg><style><p>${other}</p></style></svg>`,
    `<math><title><p>${other}</p></title></math>`,
    `<![CDATA[>${other}]]>`,
  ])('what it drops: %s', (part) => {
    expect(hiddenIn(`<p>${letter}</p>${part}`)).toEqual([{ readers: 'some_programs', text: other }]);
  });

  test('another link or picture of the same button', () => {
    const button = (link: string) =>
      `<a href="https://a.example/">Go</a><!--[if mso]><v:rect href="${link}"><center>Go</center></v:rect><![endif]-->`;
    expect(hiddenIn(button('https://evil.example/'))).toEqual([
      { readers: 'outlook', text: 'https://evil.example/' },
    ]);
    expect(hiddenIn(button('https://a.example/'))).toEqual([]);
  });

  test.each([
    '.x{display:none}@media (max-width:480px){.x{display:block!important}}',
    '.x{display:none;@media print{display:block}}',
    '.x{visibility:hidden}@media print{p{visibility:visible}}',
    '.x{font-size:0}@supports (display:grid){.x{font-size:15px}}',
    '.x{max-height:0;overflow:hidden}@media print{.x{max-height:none}}',
    '.x{color:transparent}@media print{.x{color:#000}}',
    '.x{position:absolute;left:-9999px}@media print{.x{position:static}}',
    '.x{display:none}u + .body .x{display:block}',
    '.x{display:none}[data-ogsc] .x{display:block}',
    '.x{display:none}p:hover + .x{display:block}',
    'p[class="x"]{d\\69splay:none}@media print{P[class~=x]{display:block}}',
  ])('what styles show elsewhere: %s', (css) => {
    expect(styled(css)).toEqual(onSomeScreens);
  });

  test.each([
    '@media print{p:after{content:"Pay 4,000 EUR to DE00"}}',
    ':root{--a:"Pay 4,000 EUR to \\44 E00"}p:after{content:var(--a)}',
  ])('what styles add: %s', (css) => {
    expect(styled(css, `<p>${letter}</p>`)).toEqual(onSomeScreens);
  });

  test('what the media of a style sheet show, and what a style of an element hides', () => {
    expect(hiddenIn(`<style media="print">p{display:block}</style>${letter}<p hidden>${other}</p>`)).toEqual(
      onSomeScreens,
    );
    expect(styled('@media print{.x{display:none}}', '<p>Do <b class="x">not</b> pay</p>')).toEqual([
      { readers: 'some_screens', text: 'not' },
    ]);
    expect(
      styled('@media print{i{display:inline}}', `${letter}<i style="display:none">${other}</i>`),
    ).toEqual(onSomeScreens);
  });

  test('more than a few parts: the first four', () => {
    const parts = ['one', 'two', 'three', 'four', 'five'].map((part) => `<svg><text>${part}</text></svg>`);
    expect(hiddenIn(parts.join(''))).toHaveLength(4);
    expect(hiddenIn(`<svg><text>${'long '.repeat(100)}</text></svg>`)[0]?.text).toHaveLength(80);
    const deep = `<div class="a">${'<p class="x">'.repeat(8_000)}`;
    expect(styled('.b .x{display:none}'.repeat(400), deep)).toMatchObject([{ readers: 'some_screens' }]);
  });

  test('anything, where its styles are more than can be read', () => {
    const found = styled('.a{display:none}'.repeat(5_001));
    expect(found).toContainEqual({ readers: 'some_screens', text: 'style sheets' });
    expect(found).toContainEqual({ readers: 'some_screens', text: other });
  });
});

describe('nothing is missing from', () => {
  const responsive =
    '@media only screen and (max-width:600px){.col{width:100%!important;display:block!important;font-size:16px!important}' +
    '.hide{display:none!important}td[class="logo"]{display:none}img{height:auto!important}}' +
    '@media (prefers-color-scheme:dark){body{background:#000;color:#fff}}';
  test.each([
    ['plain markup', `<p>${letter}</p><ul><li>One</li></ul><img src="https://a.example/1.png" alt="x">`],
    [
      'a button in VML',
      '<!--[if mso]><v:roundrect href="https://a.example"><w:anchorlock/><center>Show me</center></v:roundrect><![endif]-->' +
        '<a href="https://a.example" style="mso-hide:all">Show <b>me</b></a>',
    ],
    [
      'tables and settings for Outlook',
      '<!--[if mso | IE]><table><tr><td width="600"><![endif]--><div>Hi</div><!--[if mso | IE]></td></tr></table><![endif]-->' +
        '<!--[if gte mso 9]><xml><o:PixelsPerInch>96</o:PixelsPerInch></xml><style>td{width:5px}</style><![endif]-->',
    ],
    [
      'fonts that Outlook does not load',
      '<!--[if !mso]><!--><link href="https://fonts.example/css" rel="stylesheet"><style>p{}</style><!--<![endif]--><p>Hi</p>',
    ],
    [
      'columns that stack',
      `<style>${responsive}</style><table><tr><td class="col" style="font-size:14px">Hi</td><td class="x">Ada</td></tr></table>`,
    ],
    [
      'a text that is there twice',
      '<style>.m{display:none}@media(max-width:480px){.m{display:block}.d{display:none}}</style><p class="d">Hello, Ada.</p><p class="m">Hello, <b>Ada</b>.</p>',
    ],
    [
      'a preview that nobody sees',
      '<style>@media all{.x{width:100%}}</style><div style="display:none;max-height:0;opacity:0">Preview</div><p>Hi</p>',
    ],
    [
      'marks that style sheets add',
      '<style>q:before{content:"\\201c"}.c:after{content:"";display:table}</style><p>Hi</p>',
    ],
    [
      'a logo',
      '<svg width="1"><style>.st0{fill:#fff}</style><title>Logo</title><path d="M0 0"></path></svg><p>Hi</p>',
    ],
    [
      'rules for other elements',
      '<style>.a img + div{display:none}.gallery .b div{display:none}</style><i class="gallery"></i><i class="b"></i><i class="a"></i><div>Hi</div>',
    ],
  ])('%s', (_, html) => {
    expect(hiddenIn(html)).toEqual([]);
  });
});
