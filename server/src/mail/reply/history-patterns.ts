/*
 * The lines by which mail clients mark a message that they quote whole or forward, by language. Each pattern is tested on one line of
 * limited length, so that none can take too long.
 */

function ruled(names: string): RegExp {
  return new RegExp(`^\\s*[-_=*‐‑–—]{2,}\\s*(?:${names})\\s*[-_=*‐‑–—]{2,}\\s*$`, 'iu');
}

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
/** Returns whether a line introduces the message that is replied to. */
export function marksOriginal(line: string): boolean {
  return line.length < 200 && originalPattern.test(line);
}

/** Returns whether a line introduces a forwarded message. */
export function marksForward(line: string): boolean {
  return line.length < 200 && (forwardPattern.test(line) || beginForwardPattern.test(line));
}

/** A field of a quoted header. */
type HeaderKind = 'from' | 'date' | 'to' | 'subject' | 'cc';

const headerLabels: Record<HeaderKind, string> = {
  from: 'from von de de_la da van från fra lähettäjä od от от_кого від kimden gönderen feladó expeditor από מאת من 差出人 送信者 发件人 寄件者 寄件人 보낸_사람 보낸사람 보낸이 expéditeur remitente mittente remetente afzender avsändare nadawca odesílatel odosielateľ',
  date: 'sent date gesendet datum envoyé envoyé_le enviado enviado_el fecha data inviato verzonden skickat sendt dato lähetetty päiväys päivämäärä wysłano wysłane odesláno odoslané отправлено дата надіслано gönderildi gönderilme_tarihi tarih elküldve dátum trimis ημερομηνία נשלח תאריך تاريخ 送信日時 日付 日時 发送时间 发件时间 日期 傳送日期 寄件日期 時間 보낸_날짜 보낸날짜 날짜',
  to: 'to an à a para aan till til vastaanottaja do komu кому kime alıcı címzett către προς אל إلى 宛先 收件人 收件者 받는_사람 받는사람 destinataire destinatario destinatário',
  subject:
    'subject betreff objet asunto oggetto assunto onderwerp ämne emne aihe temat předmět predmet тема konu tárgy subiect θέμα נושא الموضوع 件名 主题 主旨 主題 제목',
  cc: 'cc kopie copie copia kopia másolat копия копія bilgi 抄送 副本 참조',
};
const headerKinds = new Map(
  Object.entries(headerLabels).flatMap(([kind, labels]) =>
    labels.split(' ').map((label) => [label.replaceAll('_', ' '), kind as HeaderKind] as const),
  ),
);

const labelPattern = /^[\s*_|]{0,4}([\p{L}][\p{L}\p{M} ]{0,24}?)\s?\*{0,2}\s?[:：]/u;

/** Returns the field of a quoted header that a line shows, or null. */
function readHeaderKind(line: string): HeaderKind | null {
  const label = labelPattern.exec(line.slice(0, 60))?.[1];
  return label === undefined ? null : (headerKinds.get(label.toLowerCase()) ?? null);
}

const linesMax = 12;
const dateLinePattern =
  /^\s*\d{1,4}[./-]\d{1,2}[./-]\d{1,4}\s+\d{1,2}:\d{2}(?::\d{2})?(?:\s?[ap]\.?m\.?)?(?:\s+\S{2,5})?\s*$/i;

/** Returns the line after a quoted header that begins at a line: From and two other fields, close together. Returns null if none begins. */
export function measureHeader(lines: string[], at: number): number | null {
  if (readHeaderKind(lines[at] ?? '') !== null) return measureBlock(lines, at);
  return /^\s{0,20}\d/.test(lines[at + 1] ?? '') ? measureTable(lines, at) : null;
}

function measureBlock(lines: string[], at: number): number | null {
  const kinds = new Set<string>();
  let [end, wrapped, hasAddress] = [at, 0, false];
  for (let next = at; next < at + linesMax && next < lines.length; next += 1) {
    const line = lines[next] ?? '';
    if (line.trim() === '') continue;
    const kind = readHeaderKind(line);
    if (kind !== null && kinds.has(kind)) break;
    if (kind === null) wrapped += 1;
    else kinds.add(kind);
    if (wrapped > 4 || (kind === null && lines[next - 1]?.trim() === '')) break;
    end = next + 1;
    hasAddress ||= /\S@\S/.test(line);
  }
  const isHeader =
    kinds.has('from') && kinds.size >= 3 && (hasAddress || (kinds.has('date') && kinds.has('subject')));
  return isHeader ? end : null;
}

/** Measures a header in the layout of Lotus Notes: author, date, and labels on lines of their own. */
function measureTable(lines: string[], at: number): number | null {
  if (!dateLinePattern.test(lines[at + 1] ?? '') || (lines[at] ?? '').trim() === '') return null;
  const kinds = new Map<string, number>();
  for (let next = at + 2; next < at + 2 + linesMax && next < lines.length; next += 1) {
    const kind = readHeaderKind(`${(lines[next] ?? '').trim()}:`);
    if (kind) kinds.set(kind, next);
  }
  const subject = kinds.get('subject');
  return kinds.has('to') && subject !== undefined ? subject + 1 : null;
}

/*
 * Recognises the line by which help desks ask for replies above it: "##- Please type your reply above this line -##". Each pattern is
 * tested on one line of limited length, so that none can take too long.
 */

const lineLengthMax = 200;
const replyAbovePattern = new RegExp(
  `^[^\\p{L}\\p{N}]{0,40}(?:${[
    '(?:please |kindly )?(?:type|write|enter|add|post|leave|put|insert|send|make) (?:your |a |any |all |in your )?(?:reply|replies|response|answer|comment|message|text)s?.{0,20} (?:above|before|over) (?:this|the) (?:line|text|message)',
    '(?:please |kindly |you can |to (?:respond|comment|answer),? (?:please )?)?(?:reply|respond|answer|comment|write|type)(?: to (?:this|the) (?:e-?mail|message|ticket|request))?(?: directly)? (?:above|before|over) (?:this|the) (?:line|text|message)',
    "only (?:text|content|what you write) above this line|(?:do not|don[’']t) (?:write|type|reply|edit|remove).{0,20} (?:below|under) this line",
    '(?:bitte )?(?:geben|schreiben|fügen|tippen|antworten|antwort|ihre antwort|deine antwort|schreibe|gib).{0,50}(?:oberhalb|über) (?:dieser|der) (?:zeile|linie)',
    "(?:veuillez |merci d[e’']\\s?)?(?:saisir|taper|tapez|écrire|écrivez|inscrire|inscrivez|entrer|entrez|ajouter|répondre|répondez|votre réponse).{0,50}au[- ]dessus de cette ligne",
    '(?:por favor,? )?(?:escrib|respond|introdu|ingres|agregu|añad|su respuesta|tu respuesta).{0,50}(?:encima|arriba|por encima|sobre) (?:de )?(?:esta|la) (?:línea|linea)',
    '(?:si prega di |per favore,? )?(?:scriv|rispond|digit|inseri|la (?:tua|sua) risposta).{0,50}(?:sopra|al di sopra) (?:di |a )?questa (?:riga|linea)',
    '(?:por favor,? )?(?:escrev|respond|digit|insir|introdu|a sua resposta|sua resposta).{0,50}(?:acima|em cima|por cima) (?:desta|dessa|da) linha',
    '(?:gelieve |graag )?(?:typ|schrijf|antwoord|reageer|plaats|geef|uw antwoord|je antwoord|voer).{0,50}boven (?:deze|de) (?:regel|lijn)',
    '(?:vänligen )?(?:skriv|svara|ange|ditt svar).{0,50}ovanför (?:den här|denna) (?:raden|linjen|rad)',
    '(?:venligst |vennligst )?(?:skriv|svar|indtast|tilføj|dit svar|ditt svar).{0,50}(?:over|ovenfor) denne (?:linje|linjen|streg)',
    '(?:kirjoita|vastaa|lisää|vastauksesi).{0,50}(?:tämän (?:rivin|viivan) yläpuolelle|yläpuolelle)',
    '(?:prosimy |proszę )?(?:wpis|napisz|pisz|odpowiedz|odpowiadać|umieś|dodaj).{0,50}(?:powyżej tej|nad tą) (?:linii|linią)',
    '(?:prosím,? |prosíme )?(?:napiš|piš|odpověz|odpovídej|zadejte|vaši odpověď|svou odpověď).{0,50}nad (?:tento|tímto|tuto|touto) (?:řádek|řádkem|čáru|čarou|linku)',
    '(?:пожалуйста,? )?(?:введите|напишите|пишите|ответьте|отвечайте|добавьте|ваш ответ).{0,50}(?:выше этой|над этой) (?:строки|линии|черты|строкой|линией|чертой)',
    '(?:lütfen )?(?:yanıt|cevab|mesaj).{0,50}bu (?:satır|çizgi)\\S{0,6} (?:üst|yukarı)',
    '(?:lütfen )?bu (?:satır|çizgi)\\S{0,6} (?:üst|yukarı).{0,50}(?:yanıt|cevap|yaz)',
    'この(?:行|線|ライン)(?:より|の)上.{0,30}|(?:返信|ご返信)は.{0,10}この(?:行|線)',
    '(?:请|請)?(?:在)?(?:此行|本行|这条线|這條線|该行|該行|此线|此線|此分隔线)(?:之|的)?(?:上方|以上|上面).{0,30}|이 (?:줄|선|행)\\s?(?:의 )?위에.{0,30}',
  ].join('|')})`,
  'iu',
);
const wordsMax = 22;

/** Returns whether a line asks for replies above it. */
export function asksForReplyAbove(line: string): boolean {
  return (
    line.length <= lineLengthMax &&
    line.trim().split(/\s+/).length <= wordsMax &&
    replyAbovePattern.test(line.trim())
  );
}
