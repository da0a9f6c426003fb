/*
 * Recognises the line by which help desks ask for replies above it: "##- Please type your reply above this line -##". Each pattern is
 * tested on one line of limited length, so that none can take too long.
 */

const lineLengthMax = 200;
const pattern = new RegExp(
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
    line.length <= lineLengthMax && line.trim().split(/\s+/).length <= wordsMax && pattern.test(line.trim())
  );
}
