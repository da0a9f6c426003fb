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
export type HeaderKind = 'from' | 'date' | 'to' | 'subject' | 'cc';

const headerLabels: Record<HeaderKind, string> = {
  from: 'from von de de_la da van från fra lähettäjä od от от_кого від kimden gönderen feladó expeditor από מאת من 差出人 送信者 发件人 寄件者 寄件人 보낸_사람 보낸사람 보낸이 expéditeur remitente mittente remetente afzender avsändare nadawca odesílatel odosielateľ',
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

/** Returns the field of a quoted header that a line shows, or null. */
export function headerKindOf(line: string): HeaderKind | null {
  const label = labelPattern.exec(line.slice(0, 60))?.[1];
  return label === undefined ? null : (kindOfLabel.get(label.toLowerCase()) ?? null);
}
