import type { Sender } from './document.ts';
import { each, text } from './markup.ts';

/** A department store: a table for each article, prices in the last column, pictures in the first. */
const store: Sender = {
  name: 'department store',
  hidesPreview: true,
  layOut: (d) =>
    `<html><body><div style="font-size:0px;color:transparent;max-height:0;visibility:hidden">${text(d.preview)}</div><table id="container" cellspacing="0"><tbody><tr><td><table id="header"><tbody><tr><td rowspan="2"><a href="https://store.example"><img alt="store.example" src="x.png"></a></td><td><a href="https://store.example/orders">Your orders</a></td><td>|</td><td><a href="https://store.example/me">Your account</a></td></tr></tbody></table></td></tr><tr><td><h3>${text(d.title)}</h3></td></tr><tr><td>${text(d.intro)}<br><br></td></tr>${each(d.rows, (cells) => `<tr><td><table class="item"><tbody><tr><td class="photo"><a href="https://store.example/p"><img src="p.jpg" border="0"></a></td>${each(cells, (cell, at) => (at === 0 ? `<td class="name"><a href="https://store.example/p">${text(cell)}</a></td>` : `<td class="num"><strong>${text(cell)}</strong><br></td>`))}</tr></tbody></table></td></tr>`)}<tr><td><table id="costs"><tbody>${each(d.totals, ([name, sum]) => `<tr><td class="cost">${text(name)}:&nbsp;</td><td class="cost">${text(sum)}</td></tr>`)}</tbody></table></td></tr><tr><td><b>Delivery</b><br>${d.address.map(text).join('<br>')}</td></tr></tbody></table></body></html>`,
};

/** A newsletter service: blocks of tables, and a copy for small screens. */
const campaign: Sender = {
  name: 'newsletter service',
  hidesPreview: true,
  layOut: (d) =>
    `<!doctype html><html><head><style>.mcnPreviewText{display:none !important}.mobile{display:none}@media only screen and (max-width:480px){.mobile{display:block !important}.desktop{display:none !important}}</style></head><body id="bodyTable"><!--[if !gte mso 9]><!----><span class="mcnPreviewText" style="font-size:0px;line-height:0px;max-height:0px;overflow:hidden">${text(d.preview)}</span><!--<![endif]--><table class="mcnTextBlock" width="100%"><tbody class="mcnTextBlockOuter"><tr><td valign="top" class="mcnTextBlockInner"><!--[if mso]><table><tr><td width="599"><![endif]--><table class="mcnTextContentContainer"><tbody><tr><td class="mcnTextContent"><h1 class="desktop">${text(d.title)}</h1><h1 class="mobile">${text(d.title)}</h1><div class="desktop">${text(d.intro)}</div></td></tr></tbody></table></td></tr></tbody></table><table class="mcnBoxedTextBlock"><tbody><tr><td><table class="mcnTextContent"><tbody>${each([d.headings, ...d.rows, ...d.totals], (cells) => `<tr>${each(cells, (cell) => `<td><div style="text-align:left"><span style="font-size:14px"><strong>${text(cell)}</strong></span></div></td>`)}</tr>`)}</tbody></table></td></tr></tbody></table><table class="mcnButtonBlock"><tbody><tr><td class="mcnButtonContent" style="background-color:#2BAADF"><a class="mcnButton" href="https://c.example/b" style="color:#FFFFFF">${text(d.button)}</a></td></tr></tbody></table><table class="mcnFollowBlock"><tr>${each(d.footer, (link) => `<td><table><tr><td><a href="https://c.example/${encodeURIComponent(link)}">${text(link)}</a></td></tr></table></td>`)}</tr></table><div>${each(d.address, (line) => `<div>${text(line)}</div>`)}</div></body></html>`,
};

/** A program of the nineties: capitals, no closing tags. */
const mainframe: Sender = {
  name: 'old program',
  hidesPreview: false,
  layOut: (d) =>
    `<HTML><BODY><B>${text(d.title)}</B><BR>${text(d.intro)}<P><TABLE BORDER=1 CELLPADDING=2><TR>${each(d.headings, (cell) => `<TH>${text(cell)}`)}${each(d.rows, (cells) => `<TR>${each(cells, (cell) => `<TD ALIGN=RIGHT NOWRAP>${text(cell)}`)}`)}${each(d.totals, ([name, sum]) => `<TR><TD COLSPAN=2><B>${text(name)}</B><TD ALIGN=RIGHT>${text(sum)}`)}</TABLE><PRE>${d.address.map(text).join('\n')}</PRE></BODY></HTML>`,
};

/** An airline: cells over several rows and columns, breaks in cells, from right to left. */
const airline: Sender = {
  name: 'airline',
  hidesPreview: true,
  layOut: (d) =>
    `<html dir="rtl"><body><p style="height:0;overflow:hidden;line-height:0">${text(d.preview)}</p><table><tr><td colspan="6"><span style="display:block">${text(d.title)}</span><span style="display:block">${text(d.intro)}</span></td></tr><tr><td colspan="6" style="background:#003366;color:#ffffff"><div>${each(d.headings, (cell) => `<span style="display:inline-block;width:20%">${text(cell)}</span>`)}</div></td></tr>${each(d.rows, (cells, at) => `<tr>${at === 0 ? `<td rowspan="${d.rows.length}"><img src="plane.png" alt=""></td>` : ''}${each(cells, (cell) => `<td style="padding:4px"><br>${text(cell)}<br></td>`)}</tr>`)}</table><table><tbody>${each(d.totals, ([name, sum]) => `<tr><td></td><td dir="rtl"><p>${text(name)}</p></td><td dir="ltr"><p>${text(sum)}</p></td><td></td></tr>`)}</tbody></table><section><ul>${each(d.address, (line) => `<li>${text(line)}</li>`)}</ul></section></body></html>`,
};

/** A framework whose columns are cells of headings. */
const columns: Sender = {
  name: 'columns of th',
  hidesPreview: true,
  layOut: (d) =>
    `<body><span class="preheader" style="color:#f3f3f3;display:none!important;font-size:1px;mso-hide:all!important;opacity:0;visibility:hidden">${text(d.preview)}</span><table class="body"><tr><td class="center" align="center"><center><table class="container"><tbody><tr><td><table class="row"><tbody><tr><th class="small-12 large-12 columns first last"><table><tr><th><h1 class="text-center">${text(d.title)}</h1><p>${text(d.intro)}</p></th><th class="expander"></th></tr></table></th></tr></tbody></table><table class="callout"><tr><th class="callout-inner">${each([...d.rows, ...d.totals], (cells) => `<table class="row"><tbody><tr>${each(cells, (cell) => `<th class="columns"><table><tr><th><p>${text(cell)}</p></th></tr></table></th>`)}</tr></tbody></table>`)}</th><th class="expander"></th></tr></table><table class="spacer"><tbody><tr><td height="16" style="font-size:16px;line-height:16px">&#xA0;</td></tr></tbody></table><table class="button"><tr><td><table><tr><td><a href="https://z.example">${text(d.button)}</a></td></tr></table></td></tr></table><p>${d.address.map(text).join('<br />')}</p></td></tr></tbody></table></center></td></tr></table></body>`,
};

/** A help desk: new elements, definitions, quotations. */
const helpDesk: Sender = {
  name: 'help desk',
  hidesPreview: true,
  layOut: (d) =>
    `<main><header><p hidden>${text(d.preview)}</p><strong>${text(d.title)}</strong></header><article><div>${text(d.intro)}</div><table role="table"><tr role="row">${each(d.headings, (cell) => `<td role="columnheader">${text(cell)}</td>`)}</tr>${each(d.rows, (cells) => `<tr role="row">${each(cells, (cell) => `<td role="cell"><code>${text(cell)}</code></td>`)}</tr>`)}</table><table>${each(d.totals, ([name, sum]) => `<tr><td><label>${text(name)}</label></td><td><button type="button">${text(sum)}</button></td></tr>`)}</table></article><aside>${each(d.address, (line) => `<figure><figcaption>${text(line)}</figcaption></figure>`)}</aside><footer>${each(d.footer, (link) => `<a href="https://d.example/${encodeURIComponent(link)}">${text(link)}</a>`)}</footer></main>`,
};

/** A spreadsheet sent as a mail: one cell has a number alone, and white space is between all tags. */
const spreadsheet: Sender = {
  name: 'spreadsheet',
  hidesPreview: true,
  layOut: (d) =>
    `<div style="position:absolute;left:-9999px;top:-9999px">${text(d.preview)}</div>
<table cellpadding="0">
  <tbody>
    <tr>
      <td class="xl65" colspan="5">
        ${text(d.title)}
      </td>
    </tr>
    <tr>
      <td class="xl65" colspan="5">
        ${text(d.intro)}
      </td>
    </tr>
${[d.headings, ...d.rows, ...d.totals]
  .map(
    (cells) => `    <tr height="20">
${cells
  .map(
    (cell) => `      <td class="xl66" align="right" x:num>
        <span lang="en-us">${text(cell)}</span>
      </td>`,
  )
  .join('\n')}
    </tr>`,
  )
  .join('\n')}
  </tbody>
</table>
${d.address.map((line) => `<div>\n  ${text(line)}\n</div>`).join('\n')}`,
};

export const heldOutSenders: Sender[] = [store, campaign, mainframe, airline, columns, helpDesk, spreadsheet];
