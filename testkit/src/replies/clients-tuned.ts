import {
  bodyText,
  type Client,
  escapeHtml,
  headerHtml,
  headerLines,
  htmlLines,
  markedText,
  quotedHtml,
  quotedLines,
  type ReplyDraft,
  wrap,
} from './reply-draft.ts';
import { replyLines } from './reply-lines.ts';

function gmailSignature({ signature }: ReplyDraft): string {
  return signature === null
    ? ''
    : `<br clear="all"><div><br></div><span class="gmail_signature_prefix">-- </span><br><div dir="ltr" class="gmail_signature">${htmlLines([signature.join('\n')])}</div>`;
}

/** Returns Gmail's HTML, in which an answer below the quotation is inside the quotation's element. */
export function gmailHtml(draft: ReplyDraft, dir = 'ltr'): string {
  const { language, layout, body, quoted, parts } = draft;
  const attribution = `<div dir="ltr" class="gmail_attr">${escapeHtml(language.gmail(quoted, parts))}<br></div>`;
  const quote = (html: string) =>
    `<blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex;border-left:1px solid rgb(204,204,204);padding-left:1ex">${html}</blockquote>`;
  const answer = (paragraphs: string[]) => `<div dir="${dir}">${htmlLines(paragraphs)}</div>`;
  if (layout === 'top')
    return `${answer(body)}${gmailSignature(draft)}<br><div class="gmail_quote gmail_quote_container">${attribution}${quote(quotedHtml(draft))}</div>`;
  if (layout === 'bottom')
    return `<div dir="ltr"><br></div><div class="gmail_quote">${attribution}${quote(quotedHtml(draft))}<div><br></div>${answer(body)}</div>${gmailSignature(draft)}`;
  const [first = '', ...rest] = body;
  return `<div class="gmail_quote">${attribution}${quote(htmlLines([language.questions[0]]))}${answer([first])}${quote(htmlLines([language.questions[1]]))}${answer(rest)}</div>${gmailSignature(draft)}`;
}

const gmail: Client = {
  name: 'Gmail',
  layouts: ['top', 'top', 'bottom', 'inline'],
  signs: true,
  layOut: (draft) => ({
    text: markedText(draft, wrap(draft.language.gmail(draft.quoted, draft.parts))),
    html: gmailHtml(draft),
  }),
};

const gmailText: Client = {
  name: 'Gmail, text',
  layouts: ['top', 'bottom', 'inline'],
  signs: true,
  layOut: (draft) => ({ text: markedText(draft, wrap(draft.language.gmail(draft.quoted, draft.parts))) }),
};

const outlookDesktop: Client = {
  name: 'Outlook for Windows',
  layouts: ['top'],
  signs: false,
  layOut: (draft) => ({
    text: `${bodyText(draft)}\n\n${headerLines(draft).join('\n')}\n\n${quotedLines(draft).join('\n')}\n`,
    html: `<html xmlns:o="urn:schemas-microsoft-com:office:office"><body lang="EN-US" style="word-wrap:break-word"><div class="WordSection1">${htmlLines(draft.body, '<p class="MsoNormal">', '<o:p></o:p></p>').replaceAll('<br>', '<o:p>&nbsp;</o:p>')}<p class="MsoNormal"><o:p>&nbsp;</o:p></p><div><div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0in 0in 0in"><p class="MsoNormal">${headerHtml(draft)}<o:p></o:p></p></div></div>${quotedHtml(draft)}</div></body></html>`,
  }),
};

const outlookOld: Client = {
  name: 'Outlook, plain text',
  layouts: ['top'],
  signs: false,
  layOut: (draft) => ({
    text: `${bodyText(draft)}\n\n-----${draft.language.original}-----\n${headerLines(draft).join('\n')}\n\n${quotedLines(draft).join('\n')}\n`,
  }),
};

const appleMail: Client = {
  name: 'Apple Mail',
  layouts: ['top', 'bottom'],
  signs: false,
  layOut: (draft) => {
    const attribution = draft.language.apple(draft.quoted, draft.parts);
    const quote = `<div><br><blockquote type="cite"><div>${escapeHtml(attribution)}</div><br class="Apple-interchange-newline"><div>${quotedHtml(draft)}</div></blockquote></div><br>`;
    const body = htmlLines(draft.body);
    return {
      text: markedText(draft, `> ${attribution}\n>`),
      html: `<html><head><meta http-equiv="content-type" content="text/html; charset=utf-8"></head><body style="overflow-wrap: break-word;">${draft.layout === 'top' ? body + quote : quote + body}</body></html>`,
    };
  },
};

const thunderbird: Client = {
  name: 'Thunderbird',
  layouts: ['bottom', 'bottom', 'top', 'inline'],
  signs: true,
  layOut: (draft) => {
    const attribution = draft.language.thunderbird(draft.quoted, draft.parts);
    const [first = '', ...rest] = draft.body;
    const prefix = `<div class="moz-cite-prefix">${escapeHtml(attribution)}<br></div>`;
    const quote = (html: string) => `<blockquote type="cite" cite="mid:1@example.com">${html}</blockquote>`;
    const paragraphs = (texts: string[]) => htmlLines(texts, '<p>', '</p>').replaceAll('<p><br></p>', '');
    const signature = draft.signature
      ? `<div class="moz-signature">-- <br>${draft.signature.map(escapeHtml).join('<br>')}</div>`
      : '';
    const html = {
      top: `${paragraphs(draft.body)}${signature}<p><br></p>${prefix}${quote(quotedHtml(draft))}`,
      bottom: `${prefix}${quote(quotedHtml(draft))}${paragraphs(draft.body)}${signature}`,
      inline: `${prefix}${quote(htmlLines([draft.language.questions[0]]))}${paragraphs([first])}${quote(htmlLines([draft.language.questions[1]]))}${paragraphs(rest)}${signature}`,
    };
    return {
      text: markedText(draft, attribution),
      html: `<!DOCTYPE html><html><head><meta http-equiv="Content-Type" content="text/html; charset=UTF-8"></head><body>${html[draft.layout]}</body></html>`,
    };
  },
};

const yahoo: Client = {
  name: 'Yahoo',
  layouts: ['top'],
  signs: false,
  layOut: (draft) => {
    const attribution = `On ${draft.quoted.date.toLocaleDateString('en-US', { dateStyle: 'full' })} at 10:04:31 AM GMT+1, ${draft.quoted.name} <${draft.quoted.address}> wrote:`;
    return {
      text: ` ${bodyText(draft)}\n\n    ${attribution}  \n \n ${quotedLines(draft).join('\n ')}\n`,
      html: `<html><head></head><body><div class="ydp39d8c95yahoo-style-wrap" style="font-family:Helvetica Neue, Helvetica, Arial, sans-serif;font-size:16px;"><div dir="ltr" data-setdir="false">${htmlLines(draft.body)}</div><div><br></div></div><div id="ydpa1yahoo_quoted_5520" class="ydpa1yahoo_quoted"><div style="font-family:'Helvetica Neue'"><div>${escapeHtml(attribution)}</div><div><br></div>${quotedHtml(draft)}</div></div></body></html>`,
    };
  },
};

const proton: Client = {
  name: 'Proton Mail',
  layouts: ['top'],
  signs: false,
  layOut: (draft) => {
    const attribution = `On ${draft.quoted.date.toLocaleDateString('en-US', { dateStyle: 'full' })} at 10:04 AM, ${draft.quoted.name} <${draft.quoted.address}> wrote:`;
    return {
      text: `${bodyText(draft)}\n\nSent with [Proton Mail](https://proton.me/mail/home) secure email.\n\n${attribution}\n\n${quotedLines(
        draft,
      )
        .map((line) => `> ${line}`)
        .join('\n')}\n`,
      html: `${htmlLines(draft.body, '<div style="font-family: Arial, sans-serif; font-size: 14px;">')}<div class="protonmail_signature_block" style="font-family: Arial"><div class="protonmail_signature_block-proton">Sent with <a target="_blank" href="https://proton.me/mail/home">Proton Mail</a> secure email.</div></div><div style="font-family: Arial"><br></div><div class="protonmail_quote">${escapeHtml(attribution)}<br><br><blockquote class="protonmail_quote" type="cite">${quotedHtml(draft)}</blockquote><br></div>`,
    };
  },
};

const gmx: Client = {
  name: 'GMX',
  layouts: ['top'],
  signs: false,
  layOut: (draft) => ({
    html: `<html><head></head><body><div style="font-family: Verdana;font-size: 12.0px;">${htmlLines(draft.body)}<div>&nbsp;<div name="quote" style="margin:10px 5px 5px 10px; padding: 10px 0 10px 10px; border-left:2px solid #C3D9E5; word-wrap: break-word;"><div style="margin:0 0 10px 0;">${headerHtml(draft).replaceAll('</b> ', '</b>&nbsp;')}</div><div name="quoted-content">${quotedHtml(draft)}</div></div></div></div></body></html>`,
  }),
};

const mutt: Client = {
  name: 'mutt',
  layouts: ['bottom', 'inline'],
  signs: true,
  layOut: (draft) => ({
    text: markedText(
      draft,
      `On Mon, Nov ${draft.parts.day}, ${draft.parts.year} at 10:04:31AM +0100, ${draft.quoted.name} wrote:`,
    ),
  }),
};

const samsung: Client = {
  name: 'Samsung Email',
  layouts: ['top'],
  signs: false,
  layOut: (draft) => {
    const { language } = draft;
    const header = headerLines(draft);
    return {
      text: `${bodyText(draft)}\n\n\n${language.samsung}\n\n\n-------- ${language.original} --------\n${header.join('\n')}\n\n${quotedLines(draft).join('\n')}\n`,
      html: `<html><head><meta http-equiv="Content-Type" content="text/html; charset=UTF-8"></head><body dir="auto">${htmlLines(draft.body, '<div dir="auto">')}<div dir="auto"><br></div><div id="composer_signature" dir="auto"><div style="font-size:12px;color:#575757" dir="auto">${escapeHtml(language.samsung)}</div></div><div dir="auto"><br></div><div align="left" dir="auto" style="font-size:100%;color:#000000"><div>-------- ${escapeHtml(language.original)} --------</div>${header.map((line) => `<div>${escapeHtml(line)} </div>`).join('')}<div><br></div></div>${quotedHtml(draft)}</body></html>`,
    };
  },
};

const zoho: Client = {
  name: 'Zoho',
  layouts: ['top'],
  signs: false,
  layOut: (draft) => {
    const attribution = `---- On Mon, ${draft.parts.day} Nov ${draft.parts.year} 10:04:31 +0100 ${draft.quoted.name} <${draft.quoted.address}> wrote ----`;
    return {
      text: `${bodyText(draft)}\n\n\n\n${attribution}\n\n${quotedLines(draft).join('\n')}\n`,
      html: `<!DOCTYPE html><html><head></head><body><div style="font-family: Verdana; font-size: 10pt;">${htmlLines(draft.body)}<div class="zmail_extra_hr" style="border-top: 1px solid rgb(204, 204, 204);"><br></div><div class="zmail_extra" data-zbluepencil-ignore="true"><div><br></div><div id="Zm-_Id_-Sgn1">${escapeHtml(attribution)}<br></div><div><br></div><blockquote id="blockquote_zmail" style="margin: 0px;">${quotedHtml(draft)}</blockquote></div></div></body></html>`,
    };
  },
};

/** A terminal program that marks what it quotes with bars. */
const bars: Client = {
  name: 'bars',
  layouts: ['inline', 'inline', 'bottom', 'top'],
  signs: true,
  layOut: (draft) => ({ text: markedText(draft, draft.language.gmail(draft.quoted, draft.parts), '| ') }),
};

/** A reply to a help desk whose mail stands below without marks. */
const helpDesk: Client = {
  name: 'help desk',
  layouts: ['top'],
  signs: false,
  layOut: (draft) => ({
    text: `${bodyText(draft)}\n\n${replyLines.tuned[draft.language.code] ?? ''}\n\n${quotedLines(draft).join('\n')}\n`,
  }),
};

export const tunedClients: Client[] = [
  gmail,
  gmailText,
  outlookDesktop,
  outlookOld,
  appleMail,
  thunderbird,
  yahoo,
  proton,
  gmx,
  mutt,
  samsung,
  zoho,
  bars,
  helpDesk,
];
