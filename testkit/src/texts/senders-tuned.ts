import type { Document, Sender } from './document.ts';
import { each, text } from './markup.ts';

const preheader = (style: string, words: string) =>
  `<div style="${style}">${text(words)}${'&zwnj;&nbsp;'.repeat(30)}</div>`;

/** Tables in tables, spacers between the cells, no white space between the tags. */
const paymentService: Sender = {
  name: 'payment service',
  hidesPreview: true,
  layOut: (d) =>
    `<html><head><style>body{margin:0}.st-Gone{display:none!important}</style></head><body bgcolor="#f6f9fc">${preheader('display:none;max-height:0;overflow:hidden', d.preview)}<table width="100%"><tbody><tr><td align="center"><table class="st-Wrapper" width="600" bgcolor="#ffffff"><tbody><tr><td height="40"><div>&nbsp;</div></td></tr><tr><td><table><tr><td width="48"></td><td><span style="font-size:24px">${text(d.title)}</span></td><td width="48"></td></tr></table></td></tr><tr><td><table><tr><td width="48">&nbsp;</td><td>${text(d.intro)}</td></tr></table></td></tr><tr><td><table>${each(d.rows, (cells) => `<tr><td width="20"></td>${each(cells, (cell) => `<td><table><tr><td><span>${text(cell)}</span></td></tr></table></td><td width="8">&nbsp;</td>`)}</tr><tr><td colspan="9" height="1" style="font-size:1px;line-height:1px">&nbsp;</td></tr>`)}${each(d.totals, ([name, sum]) => `<tr><td></td><td colspan="3"><strong>${text(name)}</strong></td><td align="right"><strong>${text(sum)}</strong></td></tr>`)}</table></td></tr><tr><td>${each(d.address, (line) => `${text(line)}<br>`)}</td></tr><tr><td><table><tr><td bgcolor="#635bff"><a href="https://pay.example/r" style="color:#fff">${text(d.button)}</a></td></tr></table></td></tr><tr><td>${each(d.footer, (link) => `<a href="https://pay.example/${link}">${text(link)}</a>&nbsp;&nbsp;`)}</td></tr></tbody></table></td></tr></tbody></table></body></html>`,
};

/** A shop: the name of an article with a note below it, in the same cell. */
const shop: Sender = {
  name: 'shop',
  hidesPreview: true,
  layOut: (d) =>
    `<!DOCTYPE html><html><head><style type="text/css">.preheader{display:none !important}@media (max-width:600px){.hide{display:none!important}}</style></head><body><span class="preheader">${text(d.preview)}</span>
<table class="row"><tr><td><center><h2>${text(d.title)}</h2><p>${text(d.intro)}</p></center></td></tr></table>
<table class="row section">${each(
      d.rows,
      ([name = '', ...cells]) => `
  <tr class="order-list__item"><td><table><tr><td><img src="https://shop.example/i.png" width="60"></td>
    <td><span class="title">${text(name)}</span><br/><span class="variant">in stock</span></td>
    ${each(cells, (cell) => `<td class="price"><p>${text(cell)}</p></td>`)}</tr></table></td></tr>`,
    )}</table>
<table>${each(d.totals, ([name, sum]) => `<tr><td><p><span>${text(name)}</span></p></td><td><strong>${text(sum)}</strong></td></tr>`)}</table>
<h4>Ship to</h4><p>${d.address.map(text).join('<br>')}</p><table class="button"><tr><td><a href="https://shop.example/o">${text(d.button)}</a></td></tr></table></body></html>`,
};

/** Word and Outlook: a paragraph in each cell. */
const word: Sender = {
  name: 'Outlook, Word',
  hidesPreview: false,
  layOut: (d) =>
    `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style><!-- p.MsoNormal{margin:0cm;font-size:11.0pt} --></style><!--[if gte mso 9]><xml><o:shapedefaults v:ext="edit"/></xml><![endif]--></head><body lang=EN-GB><div class=WordSection1><p class=MsoNormal><b>${text(d.title)}<o:p></o:p></b></p><p class=MsoNormal>${text(d.intro)}<o:p></o:p></p><p class=MsoNormal><o:p>&nbsp;</o:p></p><table class=MsoTableGrid border=1><tr>${each(d.headings, (cell) => `<td><p class=MsoNormal><b>${text(cell)}<o:p></o:p></b></p></td>`)}</tr>${each([...d.rows, ...d.totals], (cells) => `<tr>${each(cells, (cell) => `<td width=151 valign=top style='width:4.0cm;border:solid windowtext 1.0pt'><p class=MsoNormal>${text(cell)}<o:p></o:p></p></td>`)}</tr>`)}</table>${each(d.address, (line) => `<p class=MsoNormal>${text(line)}<o:p></o:p></p>`)}</div></body></html>`,
};

/** The HTML of MJML: columns of blocks, no size for letters between them, conditional tables for Outlook. */
const mjml: Sender = {
  name: 'MJML',
  hidesPreview: true,
  layOut: (d) =>
    `<!doctype html><html><head><style>#outlook a{padding:0}@media only screen and (min-width:480px){.mj-column-per-100{width:100%!important;max-width:100%}}</style></head><body style="word-spacing:normal;background-color:#eeeeee"><div style="display:none;font-size:1px;color:#ffffff;line-height:1px;max-height:0px;max-width:0px;opacity:0;overflow:hidden;">${text(d.preview)}</div><div style="background-color:#eeeeee"><!--[if mso | IE]><table align="center"><tr><td style="line-height:0px;font-size:0px;"><![endif]--><div style="background:#ffffff;max-width:600px"><table role="presentation" style="background:#ffffff;width:100%"><tbody><tr><td style="direction:ltr;font-size:0px;padding:20px 0;text-align:center"><!--[if mso | IE]><table><tr><td style="width:600px"><![endif]--><div class="mj-column-per-100" style="font-size:0px;text-align:left;display:inline-block;width:100%"><table role="presentation" width="100%"><tbody><tr><td align="left" style="font-size:0px;padding:10px 25px"><div style="font-family:Arial;font-size:20px;line-height:1;color:#000000">${text(d.title)}</div></td></tr><tr><td style="font-size:0px;padding:10px 25px"><p style="border-top:solid 1px #ccc;font-size:1px;margin:0 auto;width:100%"></p></td></tr><tr><td align="left" style="font-size:0px"><div style="font-size:13px;color:#000000">${text(d.intro)}</div></td></tr><tr><td align="left" style="font-size:0px"><table style="color:#000000;font-size:13px;width:100%">${each([...d.rows, ...d.totals], (cells) => `<tr>${each(cells, (cell) => `<td style="padding:0 15px">${text(cell)}</td>`)}</tr>`)}</table></td></tr><tr><td style="font-size:0px"><div style="font-size:13px">${each(d.address, (line) => `<div>${text(line)}</div>`)}</div></td></tr><tr><td align="center" bgcolor="#414141" style="background:#414141"><a href="https://m.example" style="background:#414141;color:#ffffff;font-size:13px">${text(d.button)}</a></td></tr></tbody></table></div><!--[if mso | IE]></td></tr></table><![endif]--></td></tr></tbody></table></div></div></body></html>`,
};

/** A report: a table with a head, a body and a foot. */
const dataTable: Sender = {
  name: 'data table',
  hidesPreview: false,
  layOut: (d) =>
    `<h1>${text(d.title)}</h1><p>${text(d.intro)}</p><table border="1"><caption>Table 1</caption><thead><tr>${each(d.headings, (cell) => `<th scope="col">${text(cell)}</th>`)}</tr></thead><tbody>${each(d.rows, (cells) => `<tr>${each(cells, (cell, at) => (at === 0 ? `<th scope="row">${text(cell)}</th>` : `<td>${text(cell)}</td>`))}</tr>`)}</tbody><tfoot>${each(d.totals, ([name, sum]) => `<tr><td colspan="2">${text(name)}</td><td>${text(sum)}</td></tr>`)}</tfoot></table><address>${d.address.map(text).join('<br>')}</address>`,
};

/** HTML that people paste from a document on the web. */
const pasted: Sender = {
  name: 'Google Docs paste',
  hidesPreview: false,
  layOut: (d) => {
    const run = (words: string) =>
      `<p dir="ltr" style="line-height:1.38;margin-top:0pt"><span style="font-size:11pt;font-family:Arial;color:#000000;background-color:transparent;white-space:pre;white-space:pre-wrap">${text(words)}</span></p>`;
    return `<div dir="ltr"><b style="font-weight:normal" id="docs-internal-guid-1">${run(d.title)}<br>${run(d.intro)}<br><div dir="ltr" align="left"><table style="border:none"><colgroup>${each(d.headings, () => '<col width="100">')}</colgroup><tbody>${each([d.headings, ...d.rows, ...d.totals], (cells) => `<tr style="height:0pt">${each(cells, (cell) => `<td style="overflow:hidden;overflow-wrap:break-word">${run(cell)}</td>`)}</tr>`)}</tbody></table></div>${each(d.address, run)}</b></div>`;
  },
};

/** An old newsletter: centred, with lists and figures, few closing tags. */
const oldStyle: Sender = {
  name: 'old style',
  hidesPreview: false,
  layOut: (d: Document) =>
    `<body bgcolor=white><center>${text(d.title)}</center><center>${text(d.intro)}</center><table>${each(d.rows, (cells) => `<tr>${each(cells, (cell) => `<td><font size=2>${text(cell)}`)}`)}</table><hr><table><tr><td>${each(d.totals, ([name, sum]) => `<table width=100%><tr><td>${text(name)}<td align=right>${text(sum)}</table>`)}</table><figure><figcaption>A figure</figcaption></figure>${each(d.address, (line) => `<dl><dt>${text(line)}</dt></dl>`)}<li>${d.footer.map(text).join('<li>')}`,
};

export const tunedSenders: Sender[] = [paymentService, shop, word, mjml, dataTable, pasted, oldStyle];
