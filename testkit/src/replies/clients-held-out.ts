import { gmailHtml } from './clients-tuned.ts';
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
  wrap,
} from './reply-draft.ts';
import { replyLines } from './reply-lines.ts';

const gmailAndroid: Client = {
  name: 'Gmail on Android',
  layouts: ['top', 'inline'],
  signs: false,
  layOut: (draft) => ({
    text: markedText(draft, wrap(draft.language.gmail(draft.quoted, draft.parts), 70)),
    html: gmailHtml(draft, 'auto'),
  }),
};

const outlookWeb: Client = {
  name: 'Outlook on the web',
  layouts: ['top'],
  signs: true,
  layOut: (draft) => ({
    text: `${bodyText(draft)}\n${draft.signature ? `\n-- \n${draft.signature.join('\n')}\n` : ''}________________________________\n${headerLines(draft).join('\n')}\n\n${quotedLines(draft).join('\n')}\n`,
    html: `<html><body dir="ltr">${htmlLines(draft.body, '<div class="elementToProof" style="font-family: Aptos, sans-serif; font-size: 12pt;">')}${draft.signature ? `<div id="Signature">${htmlLines([draft.signature.join('\n')])}</div>` : ''}<div id="appendonsend"></div><hr style="display:inline-block;width:98%" tabindex="-1"><div id="divRplyFwdMsg" dir="ltr"><font face="Calibri, sans-serif" style="font-size:11pt">${headerHtml(draft)}</font><div>&nbsp;</div></div><div class="BodyFragment">${quotedHtml(draft)}</div></body></html>`,
  }),
};

const outlookMobile: Client = {
  name: 'Outlook on a telephone',
  layouts: ['top'],
  signs: false,
  layOut: (draft) => ({
    text: `${bodyText(draft)}\n\n${draft.language.outlookMobile}<https://aka.ms/o0ukef>\n________________________________\n${headerLines(draft).join('\n')}\n\n${quotedLines(draft).join('\n')}\n`,
    html: `<html><head></head><body>${htmlLines(draft.body, '<div dir="ltr">')}<div id="ms-outlook-mobile-body-separator-line"><br></div><div id="ms-outlook-mobile-signature"><a href="https://aka.ms/o0ukef">${escapeHtml(draft.language.outlookMobile)}</a></div><hr style="display:inline-block;width:98%"><div id="mail-editor-reference-message-container"><div class="ms-outlook-mobile-reference-message"><div id="divRplyFwdMsg">${headerHtml(draft)}</div>${quotedHtml(draft)}</div></div></body></html>`,
  }),
};

const iphone: Client = {
  name: 'Mail on an iPhone',
  layouts: ['top'],
  signs: false,
  layOut: (draft) => {
    const attribution = draft.language.apple(draft.quoted, draft.parts);
    return {
      text: markedText(
        { ...draft, body: [...draft.body, draft.language.iphone] },
        `> ${attribution}\n> \n> \ufeff`,
      ),
      html: `<html><head><meta http-equiv="content-type" content="text/html; charset=utf-8"></head><body dir="auto">${htmlLines(draft.body)}<br><div dir="ltr">${escapeHtml(draft.language.iphone)}</div><div dir="ltr"><br><blockquote type="cite">${escapeHtml(attribution)}<br><br></blockquote></div><blockquote type="cite"><div dir="ltr">&#xFEFF;${quotedHtml(draft)}</div></blockquote></body></html>`,
    };
  },
};

const fastmail: Client = {
  name: 'Fastmail',
  layouts: ['top', 'bottom'],
  signs: true,
  layOut: (draft) => {
    const attribution = `On Mon, Nov ${draft.parts.day}, ${draft.parts.year}, at 10:04 AM, ${draft.quoted.name} wrote:`;
    const quote = `<div>${escapeHtml(attribution)}</div><blockquote type="cite" id="qt" style="">${quotedHtml(draft)}</blockquote>`;
    const signature = draft.signature
      ? `<div id="sig1"><div class="signature">-- </div>${htmlLines([draft.signature.join('\n')], '<div class="signature">')}</div>`
      : '';
    const body = `${htmlLines(draft.body)}<div><br></div>${signature}`;
    return {
      text: markedText(draft, attribution),
      html: `<!DOCTYPE html><html><head><title></title></head><body>${draft.layout === 'top' ? body + quote : quote + body}</body></html>`,
    };
  },
};

const spark: Client = {
  name: 'Spark',
  layouts: ['top'],
  signs: false,
  layOut: (draft) => {
    const attribution = `On ${draft.parts.day} Nov ${draft.parts.year} at 10:04 +0100, ${draft.quoted.name} <${draft.quoted.address}>, wrote:`;
    return {
      text: markedText(draft, attribution),
      html: `<html xmlns="http://www.w3.org/1999/xhtml"><head><title></title></head><body><div name="messageBodySection">${htmlLines(draft.body, '<div dir="auto">')}</div><div name="messageSignatureSection"><br /></div><div name="messageReplySection">${escapeHtml(attribution)}<br /><blockquote type="cite" style="border-left-color: grey; border-left-width: thin; border-left-style: solid; margin: 5px 5px;padding-left: 10px;">${quotedHtml(draft)}</blockquote></div></body></html>`,
    };
  },
};

const notes: Client = {
  name: 'Lotus Notes',
  layouts: ['top'],
  signs: false,
  layOut: (draft) => ({
    text: `${bodyText(draft)}\n\n\n\n${headerLines(draft)
      .map((line) => line.replace(': ', ':\t'))
      .join('\n')}\n\n\n\n${quotedLines(draft).join('\n')}\n`,
  }),
};

const notesTable: Client = {
  name: 'Lotus Notes, labels on lines of their own',
  layouts: ['top'],
  signs: false,
  layOut: (draft) => ({
    text: `${bodyText(draft)}\n\n\n\n\n${draft.quoted.name} <${draft.quoted.address}> \n11/${draft.parts.day}/${draft.parts.year} 10:04 AM\n\nTo\n${draft.language.author}/Example@Example\ncc\n\nSubject\n${draft.subject}\n\n\n\n\n\n\n${quotedLines(draft).join('\n')}\n`,
  }),
};

const roundcube: Client = {
  name: 'Roundcube',
  layouts: ['top', 'bottom', 'inline'],
  signs: true,
  layOut: (draft) => ({ text: markedText(draft, draft.language.thunderbird(draft.quoted, draft.parts)) }),
};

const yandex: Client = {
  name: 'Yandex',
  layouts: ['top'],
  signs: false,
  layOut: (draft) => ({
    html: `${htmlLines(draft.body)}<div> </div><div>${draft.parts.day}.11.${draft.parts.year}, 10:04, &quot;${escapeHtml(draft.quoted.name)}&quot; &lt;${draft.quoted.address}&gt;:</div><blockquote>${quotedHtml(draft)}</blockquote>`,
  }),
};

const k9: Client = {
  name: 'K-9 Mail',
  layouts: ['top'],
  signs: false,
  layOut: (draft) => ({
    text: markedText(
      { ...draft, signature: ['Sent from my Android device with K-9 Mail. Please excuse my brevity.'] },
      `On November ${draft.parts.day}, ${draft.parts.year} 10:04:31 AM UTC, ${draft.quoted.name} <${draft.quoted.address}> wrote:`,
      '>',
    ),
  }),
};

const kmail: Client = {
  name: 'KMail',
  layouts: ['bottom', 'inline'],
  signs: true,
  layOut: (draft) => ({
    text: markedText(
      draft,
      `On Monday, ${draft.parts.day} November ${draft.parts.year} 10:04:31 CET ${draft.quoted.name} wrote:`,
    ),
  }),
};

const emailApp: Client = {
  name: 'an app that quotes below a rule',
  layouts: ['top'],
  signs: false,
  layOut: (draft) => ({
    text: `${bodyText(draft)}\n\n----- ${draft.language.original} -----\n${headerLines(draft).slice(0, 3).join('\n')}\n${headerLines(draft).at(-1)}\n\n${quotedLines(
      draft,
    )
      .map((line) => `> ${line}`)
      .join('\n')}\n`,
  }),
};

/** An editor that marks what it quotes in its own way. */
const braces: Client = {
  name: 'braces',
  layouts: ['inline', 'bottom', 'top'],
  signs: false,
  layOut: (draft) => ({
    text: markedText(draft, draft.language.thunderbird(draft.quoted, draft.parts), ' } '),
  }),
};

/** A reply to a tracker, in both forms, whose mail stands below without marks. */
const tracker: Client = {
  name: 'tracker',
  layouts: ['top'],
  signs: false,
  layOut: (draft) => {
    const line = replyLines['held out'][draft.language.code] ?? '';
    return {
      text: `${bodyText(draft)}\n\n${line}\n\n${quotedLines(draft).join('\n')}\n`,
      html: `${htmlLines(draft.body)}<div><br></div><div style="color:#b5b5b5">${escapeHtml(line)}</div>${quotedHtml(draft)}`,
    };
  },
};

export const heldOutClients: Client[] = [
  gmailAndroid,
  outlookWeb,
  outlookMobile,
  iphone,
  fastmail,
  spark,
  notes,
  notesTable,
  roundcube,
  yandex,
  k9,
  kmail,
  emailApp,
  braces,
  tracker,
];
