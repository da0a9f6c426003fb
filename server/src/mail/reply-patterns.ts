/*
 * How mail clients announce what they quote, forward or add, by language. Every test is made on a line, or a few joined
 * lines, of bounded length, so that no pattern can run away.
 */

/** The sentence before a quotation; where only the verb is given, it stands before the colon or after the date. */
const attributionVerbs = [
  // English, German, French, Spanish, Italian, Portuguese, Dutch
  'wrote|writes|has written|schrieb|hat geschrieben|a écrit|escribió|escribio|ha scritto|escreveu|schreef|het volgende geschreven',
  // Swedish, Danish, Norwegian, Finnish, Estonian, Polish, Czech, Slovak
  'skrev|følgende|kirjoitti|kirjutas|napisał|napisała|napisał\\(a\\)|napisał\\(-a\\)|pisze|napsal|napsala|napsal\\(a\\)|píše|napísal|napísal\\(a\\)',
  // Russian, Ukrainian, Bulgarian, Serbian, Croatian, Slovene, Turkish
  'написал|написала|написал\\(а\\)|пишет|пише|написав|написав\\(ла\\)|написа|је написао|је написала|je napisao|je napisala|je napisao/la|je napisal|yazdı',
  // Hungarian, Romanian, Greek, Catalan, Lithuanian, Latvian, Vietnamese, Indonesian, Hebrew, Arabic, Persian
  'írta|a scris|έγραψε|va escriure|rašė|rakstīja|đã viết|menulis|כתב|כתבה|כתב/ה|كتب|كتبت|نوشت',
].join('|');
const attributionEndings =
  '写道|寫道|写到|のメール|さんは書きました|が書きました|님이 작성|작성|님이 쓴 글|썼습니다|เขียนว่า|เขียน';

const verbPattern = new RegExp(
  `(?<![\\p{L}\\p{M}])(?:${attributionVerbs})(?![\\p{L}\\p{M}])|(?:${attributionEndings})\\s*[:：]`,
  'iu',
);
const quotingPattern = /^(?:Quoting|Zitat von|Citando|Citation de|Citando a)\s.{2,200}[:：]$/iu;
const addressPattern = /[^\s<>()@]{1,100}@[^\s<>()@]{2,100}/;
const timePattern = /\d{1,2}\s?(?:[:.h時时시点]|Uhr|\b[ap]m\b)\s?(?:\d{2}|[ap]m)?/iu;
const datePattern =
  /(?:19|20)\d{2}|\d{1,2}[./-]\s?\d{1,2}[./-]\s?\d{2}|(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,?\s/iu;
const endPattern = /[:：][\s\u200e\u200f\u202a-\u202e\u2066-\u2069]*$|[:：]?\s-{3,}$/u;
/** Words and dates that such a sentence begins with; where it is wrapped, this line is its first. */
const startPattern = new RegExp(
  `^[\\s\\u200e\\u200f\\u202a-\\u202e-]*(?:${[
    'On|At|Am|Le|El|Il|Em|No dia|A|Op|Den|På|W dniu|Dnia|Dne|Dňa|Le|La|În|Στις|Vào|Pada|在|于|於|בתאריך|في',
    // Weekdays as clients abbreviate them
    'mon|tue|wed|thu|fri|sat|sun|mo|di|mi|do|fr|sa|so|lun|mar|mer|jeu|ven|sam|dim|man|tir|tor|fre|lør|søn|ma|ti|ke|to|pe|la|su',
    'pon|wt|śr|czw|pt|sob|niedz|po|út|st|čt|pá|ne|пн|вт|ср|чт|пт|сб|вс|понедельник|вторник|среда|четверг|пятница|суббота|воскресенье',
  ].join('|')})(?![\\p{L}])|^[\\s\\u200e\\u200f-]*(?:\\d{1,2}[.\\s/-]|\\d{4}[年./-]|\\d{4}년)`,
  'iu',
);

/** Whether a line can be the first of a sentence that announces a quotation. */
export function startsAttribution(line: string): boolean {
  return startPattern.test(line);
}

/** Whether a line can be the last of one. */
export function endsAttribution(line: string): boolean {
  return endPattern.test(line);
}

/**
 * How sure it is that a sentence announces a quotation: `certain` with a date or time and an address or the verb of its
 * language, `likely` with only a name and the verb, which is not enough unless a quotation follows.
 */
export function weighAttribution(sentence: string): 'certain' | 'likely' | null {
  if (sentence.length > 600 || !endPattern.test(sentence)) return null;
  if (quotingPattern.test(sentence)) return 'certain';
  const hasVerb = verbPattern.test(sentence);
  const hasAddress = addressPattern.test(sentence);
  const hasTime = timePattern.test(sentence) && datePattern.test(sentence);
  if (hasTime && (hasAddress || hasVerb)) return 'certain';
  if (hasVerb && hasAddress) return 'certain';
  return hasVerb && sentence.length < 200 ? 'likely' : null;
}

const ruled = (names: string): RegExp =>
  new RegExp(`^\\s*[-_=*‐‑–—]{2,}\\s*(?:${names})\\s*[-_=*‐‑–—]{2,}\\s*$`, 'iu');

const originalPattern = ruled(
  [
    'Original (?:Message|Email|Mail|Appointment)|Reply message|Ursprüngliche (?:Nachricht|E-Mail)|Original-?Nachricht|Originalnachricht',
    "Message d['’]origine|Message (?:initial|original)|Courriel d['’]origine|Mensaje original|Messaggio originale|Mensagem original",
    'Oorspronkelijk bericht|Origineel bericht|Ursprungligt meddelande|Original ?meddelande|Oprindelig meddelelse|Opprinnelig melding|Original besked',
    'Alkuperäinen viesti|Oryginalna wiadomość|Wiadomość oryginalna|Původní (?:zpráva|e-mail)|Pôvodná správa|Исходное сообщение|Оригинальное сообщение',
    'Оригінальне повідомлення|Orijinal (?:Mesaj|İleti|E-posta)|Eredeti üzenet|Mesaj original|Αρχικό μήνυμα',
    '元のメッセージ|オリジナルメッセージ|原始邮件|原始郵件|原邮件|原始信息|원본 메(?:시|세)지|원래 메시지',
  ].join('|'),
);
const forwardedNames = [
  'Forwarded (?:message|email)|Weitergeleitete (?:Nachricht|E-Mail)|Message (?:transféré|réexpédié)|Courriel transféré|Mensaje reenviado',
  'Messaggio inoltrato|Mensagem (?:encaminhada|reencaminhada)|Doorgestuurd bericht|Vidarebefordrat meddelande|Videresendt (?:besked|meddelelse|melding)',
  'Välitetty viesti|Edelleenlähetetty viesti|Przekazana wiadomość|Wiadomość przekazana|Przesłana wiadomość|Přeposlaná zpráva|Preposlaná správa',
  'Пересылаемое сообщение|Пересланное сообщение|Переслане повідомлення|İletilen (?:mesaj|ileti)|Yönlendirilen ileti|Továbbított üzenet|Mesaj redirecționat',
  '転送(?:された)?メッセージ|転送メール|转发的?(?:邮件|信息)|轉寄(?:的)?郵件|전달된 메(?:시|세)지',
].join('|');
const forwardPattern = ruled(forwardedNames);
const beginForwardPattern = new RegExp(
  `^\\s*(?:${[
    'Begin forwarded message|Anfang der weitergeleiteten (?:Nachricht|E-Mail)|Début du message (?:réexpédié|transféré)|Inicio del mensaje reenviado',
    'Inizio messaggio inoltrato|Início da mensagem (?:reencaminhada|encaminhada)|Begin doorgestuurd bericht|Vidarebefordrat (?:mejl|brev)',
    'Start på videresendt (?:besked|melding)|Videresendt (?:besked|melding)|Välitetty viesti alkaa|Początek przekazywanej wiadomości|Začátek přeposílané zprávy',
    'Начало переадресованного сообщения|İletilen mesajın başlangıcı|転送されたメッセージ|下面是被转发的邮件|以下是轉寄的郵件|전달된 메시지',
  ].join('|')})\\s*[:：]?\\s*$`,
  'iu',
);
const forwardSubjectPattern =
  /^\s*(?:\[[^\]]{0,60}\]\s*)?(?:fwd?|wg|tr|rv|reenv|enc|res\.?enc|i|doorst|vb|vs|pd|přepos|fs|пересл|переслано|ilt|iletilen|továbbítás|转发|轉寄|転送|전달)\s*[:：]/iu;

/** Whether a line stands above the message that is answered. */
export function marksOriginal(line: string): boolean {
  return line.length < 200 && originalPattern.test(line);
}

/** Whether a line stands above a message that is passed on. */
export function marksForward(line: string): boolean {
  return line.length < 200 && (forwardPattern.test(line) || beginForwardPattern.test(line));
}

/** Whether a subject says that the mail passes another one on. */
export function isForwardSubject(subject: string): boolean {
  return forwardSubjectPattern.test(subject.slice(0, 200));
}

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

/** Whether a line is what an app adds below a mail, such as "Sent from my iPhone". */
export function isAppSignature(line: string): boolean {
  const text = line.replace(/\s*[<[(]?https?:\/\/[^\s>\])]{1,300}[>\])]?/g, '');
  return text.length < 110 && appSignaturePattern.test(text);
}

type HeaderKind = 'from' | 'date' | 'to' | 'subject' | 'cc';

const headerLabels: Record<HeaderKind, string> = {
  from: 'from von de da van från fra lähettäjä od от от_кого від kimden gönderen feladó expeditor από מאת من 差出人 送信者 发件人 寄件者 寄件人 보낸_사람 보낸사람 보낸이 expéditeur remitente mittente remetente afzender avsändare nadawca odesílatel odosielateľ',
  date: 'sent date gesendet datum envoyé envoyé_le enviado enviado_el fecha data inviato verzonden skickat sendt dato lähetetty päiväys päivämäärä wysłano wysłane odesláno odoslané отправлено дата надіслано gönderildi gönderilme_tarihi tarih elküldve dátum trimis ημερομηνία נשלח תאריך تاريخ 送信日時 日付 日時 发送时间 发件时间 日期 傳送日期 寄件日期 時間 보낸_날짜 보낸날짜 날짜',
  to: 'to an à a para aan till til vastaanottaja do komu кому kime alıcı címzett către προς אל إلى 宛先 收件人 收件者 받는_사람 받는사람 destinataire destinatario destinatário',
  subject:
    'subject betreff objet asunto oggetto assunto onderwerp ämne emne aihe temat předmět predmet тема konu tárgy subiect θέμα נושא الموضوع 件名 主题 主旨 主題 제목',
  cc: 'cc kopie copie copia kopia másolat копия копія bilgi 抄送 副本 참조',
};
const kindOfLabel = new Map<string, HeaderKind>();
for (const [kind, labels] of Object.entries(headerLabels))
  for (const label of labels.split(' ')) kindOfLabel.set(label.replaceAll('_', ' '), kind as HeaderKind);

const labelPattern = /^[\s*_|]{0,4}([\p{L}][\p{L}\p{M} ]{0,24}?)\s?\*{0,2}\s?[:：]/u;

/** Which field of a quoted header a line shows, or null. */
export function headerKindOf(line: string): HeaderKind | null {
  const label = labelPattern.exec(line.slice(0, 60))?.[1];
  return label === undefined ? null : (kindOfLabel.get(label.toLowerCase()) ?? null);
}
