import type { Language } from './language.ts';

export const dutch: Language = {
  code: 'nl',
  locale: 'nl-NL',
  author: 'Joost de Vries',
  correspondent: 'Fenna Bakker',
  questions: ['Kunt u mij de factuur van oktober sturen?', 'Wanneer komt de nieuwe pomp?'],
  bodies: [
    ['Hallo Fenna,', 'Op dinsdag kan ik.\nDe factuur zit erbij.'],
    ['Om 10:00 is prima.', 'Groeten\nJoost'],
    ['Nee.'],
    ['Er zijn twee punten:\n- de prijs\n- de datum'],
    ['Op 5 januari 2026 om 10:00 schikt het mij.', 'Met vriendelijke groet'],
    ['Verzonden per post, zoals u schreef.'],
  ],
  gmail: ({ name, address }, d) =>
    `Op ${d.weekday} ${d.day} ${d.month} ${d.year} om ${d.time} schreef ${name} <${address}>:`,
  apple: ({ name, address }, d) =>
    `Op ${d.day} ${d.month} ${d.year}, om ${d.time} heeft ${name} <${address}> het volgende geschreven:`,
  thunderbird: ({ name }, d) => `Op ${d.numeric} om ${d.time} schreef ${name}:`,
  labels: ['Van', 'Verzonden', 'Aan', 'Onderwerp'],
  original: 'Oorspronkelijk bericht',
  iphone: 'Verstuurd vanaf mijn iPhone',
  samsung: 'Verzonden vanaf mijn Galaxy',
  outlookMobile: 'Outlook voor iOS downloaden',
  reply: 'Antw: ',
};

export const swedish: Language = {
  code: 'sv',
  locale: 'sv-SE',
  author: 'Björn Ek',
  correspondent: 'Åsa Lind',
  questions: ['Kan du skicka fakturan för oktober?', 'När kommer den nya pumpen?'],
  bodies: [
    ['Hej Åsa,', 'Den är skickad.\nPå tisdag kommer pumpen.'],
    ['Kl. 10:00 går bra.', 'Hälsningar\nBjörn'],
    ['Nej tack.'],
    ['Två saker återstår:\n- priset\n- datumet'],
    ['Den 5 januari 2026 kl. 10:00 passar mig.', 'Mvh'],
    ['Skickat i går, precis som du skrev.'],
  ],
  gmail: ({ name, address }, d) =>
    `Den ${d.weekday} ${d.day} ${d.month} ${d.year} kl ${d.time} skrev ${name} <${address}>:`,
  apple: ({ name, address }, d) => `${d.day} ${d.month} ${d.year} kl. ${d.time} skrev ${name} <${address}>:`,
  thunderbird: ({ name }, d) => `Den ${d.numeric} kl. ${d.time}, skrev ${name}:`,
  labels: ['Från', 'Skickat', 'Till', 'Ämne'],
  original: 'Ursprungligt meddelande',
  iphone: 'Skickat från min iPhone',
  samsung: 'Skickat från min Galaxy',
  outlookMobile: 'Hämta Outlook för iOS',
  reply: 'SV: ',
};

export const danish: Language = {
  code: 'da',
  locale: 'da-DK',
  author: 'Søren Kjær',
  correspondent: 'Mette Østergaard',
  questions: ['Kan du sende fakturaen for oktober?', 'Hvornår kommer den nye pumpe?'],
  bodies: [
    ['Hej Mette,', 'Den er sendt.\nPå tirsdag kommer pumpen.'],
    ['Kl. 10.00 er fint.', 'Venlig hilsen\nSøren'],
    ['Nej.'],
    ['Der er to ting:\n1. prisen\n2. datoen'],
    ['Den 5. januar 2026 kl. 10:00 passer mig.', 'Hilsen Søren'],
    ['Sendt i går, som du skrev.'],
  ],
  gmail: ({ name, address }, d) =>
    `Den ${d.weekday} ${d.day}. ${d.month} ${d.year} kl. ${d.time} skrev ${name} <${address}>:`,
  apple: ({ name, address }, d) =>
    `Den ${d.day}. ${d.month} ${d.year} kl. ${d.time} skrev ${name} <${address}>:`,
  thunderbird: ({ name }, d) => `Den ${d.numeric} kl. ${d.time} skrev ${name}:`,
  labels: ['Fra', 'Sendt', 'Til', 'Emne'],
  original: 'Oprindelig meddelelse',
  iphone: 'Sendt fra min iPhone',
  samsung: 'Sendt fra min Galaxy',
  outlookMobile: 'Hent Outlook til iOS',
  reply: 'SV: ',
};

export const finnish: Language = {
  code: 'fi',
  locale: 'fi-FI',
  author: 'Päivi Mäkelä',
  correspondent: 'Jyrki Hämäläinen',
  questions: ['Voisitko lähettää lokakuun laskun?', 'Milloin uusi pumppu tulee?'],
  bodies: [
    ['Hei Jyrki,', 'lasku on liitteenä.\nTo sopii minulle.'],
    ['Kello 10.00 käy.', 'Terveisin\nPäivi'],
    ['Ei kiitos.'],
    ['Kaksi asiaa on auki:\n- hinta\n- päivä'],
    ['Ma 5.1.2026 klo 10.00 sopii.', 'Ystävällisin terveisin'],
    ['Lähetetty eilen postitse, kuten toivoit.'],
  ],
  gmail: ({ name, address }, d) =>
    `${d.weekday} ${d.day}. ${d.month}. ${d.year} klo ${d.time} ${name} (${address}) kirjoitti:`,
  apple: ({ name, address }, d) => `${name} <${address}> kirjoitti ${d.numeric} kello ${d.time}:`,
  thunderbird: ({ name }, d) => `${name} kirjoitti ${d.numeric} klo ${d.time}:`,
  labels: ['Lähettäjä', 'Lähetetty', 'Vastaanottaja', 'Aihe'],
  original: 'Alkuperäinen viesti',
  iphone: 'Lähetetty iPhonesta',
  samsung: 'Lähetetty Galaxy-laitteesta',
  outlookMobile: 'Hanki Outlook for iOS',
  reply: 'VS: ',
};
