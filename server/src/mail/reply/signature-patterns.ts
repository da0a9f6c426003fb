/*
 * The end of a mail below its text: a signature below its delimiter, the line that an app adds, the footer of a mailing list.
 */

const appSignaturePattern = new RegExp(
  `^\\s*[*_]?(?:${[
    '(?:Sent|Shared) (?:from|via|with|using) .{2,70}|Get Outlook for .{2,60}|Get BlueMail for .{2,40}',
    '(?:Diese Nachricht wurde )?(?:Von|mit) (?:meinem?|der) .{2,70} gesendet\\.?|Gesendet (?:von|mit|über) .{2,70}|(?:Holen Sie sich )?Outlook für .{2,60}',
    'Envoyé (?:de|depuis|à partir|avec|via) .{2,70}|(?:Obtenez|Télécharger|Obtenir) Outlook pour .{2,60}|Provenance\\s*: Courrier pour Windows',
    'Enviado (?:desde|do|da|de|via|a partir|pelo) .{2,70}|(?:Obtener|Obtenga|Obter o|Obtenha o|Baixar o) Outlook para .{2,60}',
    'Inviato (?:da|dal|con|tramite) .{2,70}|(?:Scarica|Ottieni) Outlook per .{2,60}',
    '(?:Verzonden|Verstuurd) (?:vanaf|vanuit|met|via) .{2,70}|(?:Download )?Outlook voor .{2,60}',
    'Skickat från .{2,70}|(?:Hämta|Skaffa) Outlook för .{2,60}|Sendt (?:fra|med) .{2,70}|(?:Hent|Få|Last ned) Outlook (?:til|for) .{2,60}',
    'Lähetetty .{2,70}|Hanki Outlook .{2,60}|Wysł(?:ane|ano|any) z .{2,70}|Pobierz (?:program|aplikację) Outlook .{2,60}',
    'Odesláno z .{2,70}|Odoslané z .{2,70}|Získat Outlook pro .{2,60}',
    'Отправлено (?:с|из|от) .{2,70}|(?:Скачать|Получить) Outlook для .{2,60}|Надіслано (?:з|із) .{2,70}',
    ".{2,30}(?:['’]?(?:umdan|dan|den|tan|ten)) gönderildi|.{2,30} edinin",
    '.{2,40}から送信(?:されました)?。?|.{2,60}を入手',
    '(?:发自|發自|来自|從|从)\\s?.{2,40}|获取 Outlook.{2,40}|取得 Outlook.{2,40}|.{2,40}에서 보냄|.{2,40} 다운로드',
  ].join('|')})[*_]?\\s*$`,
  'iu',
);

/** Such a line comes from an app only if it names a product or a device; "Sent from our warehouse" was written by a person. */
const productPattern =
  /iphone|ipad|ipod|apple|icloud|\bmac\b|macbook|android|samsung|galaxy|huawei|honor|xiaomi|redmi|\bmi\b|oppo|vivo|oneplus|pixel|nokia|xperia|\bsony\b|\bhtc\b|\blg\b|motorola|\bmoto\b|blackberry|windows|outlook|office|yahoo|hotmail|\bmail\b|e-?mail|gmail|google|proton|tuta|spark|airmail|thunderbird|zoho|fastmail|\bgmx\b|web\.de|t-online|telekom|\baol\b|k-9|bluemail|\bnine\b|newton|superhuman|mailbird|edison|mymail|mail\.ru|yandex|\bqq\b|网易|163|手机|手機|邮箱|스마트폰|mobile|handy|smartphone|tablet|telefo|téléphone|puhelin|mobil|móvil|celular|cellulare|telemóvel|gsm|компьютер|телефон|смартфон|携帯|スマートフォン/iu;

/** Returns whether a line is one that an app adds below a mail, such as "Sent from my iPhone". */
export function isAppSignature(line: string): boolean {
  const text = line.replace(/\s*[<[(]?https?:\/\/[^\s>\])]{1,300}[>\])]?/g, '');
  return text.length < 110 && appSignaturePattern.test(text) && productPattern.test(text);
}

const signatureLinesMax = 15;
const listFooterPattern = /mailing list|mailman|unsubscribe|listinfo|https?:\/\/|[^\s@]@[^\s@]/i;

/** The lines that services write below a comment that they pass on. */
const asksDirectly =
  /^(?:reply to this (?:e-?mail|message)|you (?:are receiving|can reply)|view (?:it|this) on)\b/i;

/** Removes a signature at the end of a piece of text, and the lines that apps add there. */
export function withoutSignature(piece: string[]): string[] {
  const delimiter = piece.findIndex((line, at) => isSignature(line, piece, at + 1));
  const lines = delimiter < 0 ? [...piece] : piece.slice(0, delimiter);
  for (let last = lines.at(-1); last !== undefined; last = lines.at(-1)) {
    if (last.trim() !== '' && !isRule(last) && !isAppSignature(last)) break;
    lines.pop();
  }
  return lines;
}

/** Returns whether a line begins a signature (RFC 3676, section 4.3). After an inexact delimiter, the rest has to look like one. */
function isSignature(line: string, piece: string[], start: number): boolean {
  const isExact = line === '-- ';
  if (!isExact && line !== '--' && line !== '—' && !/^_{20,}$/.test(line)) return false;
  const rest = piece.slice(start, start + 100).filter((one) => one.trim() !== '');
  if (rest.length > signatureLinesMax) return false;
  if (isExact || rest.length === 0 || asksDirectly.test(rest[0] ?? '')) return true;
  if (line.startsWith('_')) return rest.some((one) => listFooterPattern.test(one));
  return (
    rest.length <= 8 &&
    rest.every((one) => one.length <= 80 && !/[?!。？！;,]\s*$|[\p{Ll}\d]{4}\.\s*$/u.test(one))
  );
}

function isRule(line: string): boolean {
  return /^\s*(?:[_=*-]{3,}|-- |--|—)\s*$/.test(line);
}
