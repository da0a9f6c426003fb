import type { Language } from './language.ts';

export const english: Language = {
  code: 'en',
  locale: 'en-US',
  author: 'Bob Miller',
  correspondent: 'Anna Berg',
  questions: ['Could you send me the invoice for October?', 'When does the new pump arrive?'],
  bodies: [
    ['Hello Anna,', 'Do not ship order 4711.\nCancel it and refund me.'],
    [
      'On Tuesday I am free, so let us meet then.',
      'Two things are open:\n- the price\n- the date',
      'Best,\nBob',
    ],
    ['At 10:00 works. See https://example.com/plan?id=7 for the map.'],
    ['Sent from our warehouse this morning, it should arrive on 1/5/2026.', 'Regards\nBob'],
    ['42 is the code'],
    ['So the answer is yes.\nTo be clear: we pay on delivery.', 'As she wrote: "take the blue one".'],
  ],
  gmail: ({ name, address }, d) =>
    `On ${d.weekday}, ${d.month} ${d.day}, ${d.year} at ${d.time} ${name} <${address}> wrote:`,
  apple: ({ name, address }, d) =>
    `On ${d.day} ${d.month} ${d.year}, at ${d.time}, ${name} <${address}> wrote:`,
  thunderbird: ({ name }, d) => `On ${d.numeric} ${d.time}, ${name} wrote:`,
  labels: ['From', 'Sent', 'To', 'Subject'],
  original: 'Original Message',
  iphone: 'Sent from my iPhone',
  samsung: 'Sent from my Galaxy',
  outlookMobile: 'Get Outlook for iOS',
  reply: 'Re: ',
};

export const german: Language = {
  code: 'de',
  locale: 'de-DE',
  author: 'Jörg Müller',
  correspondent: 'Änne Schröder',
  questions: ['Schicken Sie mir bitte die Rechnung für Oktober?', 'Wann kommt die neue Pumpe?'],
  bodies: [
    ['Hallo Änne,', 'am Montag bin ich da.\nSo machen wir es.'],
    ['Am Montag bin ich da.'],
    ['Die Rechnung liegt bei. Bitte bis 15.1.2026 zahlen.', 'Viele Grüße\nJörg'],
    ['Zu den Fragen:\n1. ja\n2. nein', 'Mit freundlichen Grüßen\nJörg Müller'],
    ['Do 10:00 passt mir gut, Mo auch.'],
    ['Von meinem Büro aus geht das nicht.', 'Gesendet wurde die Ware am 5. Januar 2026 um 10:00 Uhr.'],
  ],
  gmail: ({ name, address }, d) =>
    `Am ${d.weekday}., ${d.day}. ${d.month} ${d.year} um ${d.time} Uhr schrieb ${name} <${address}>:`,
  apple: ({ name, address }, d) => `Am ${d.numeric} um ${d.time} schrieb ${name} <${address}>:`,
  thunderbird: ({ name }, d) => `Am ${d.numeric} um ${d.time} schrieb ${name}:`,
  labels: ['Von', 'Gesendet', 'An', 'Betreff'],
  original: 'Ursprüngliche Nachricht',
  iphone: 'Von meinem iPhone gesendet',
  samsung: 'Von meinem Samsung Galaxy Smartphone gesendet.',
  outlookMobile: 'Outlook für iOS beziehen',
  reply: 'AW: ',
};

export const french: Language = {
  code: 'fr',
  locale: 'fr-FR',
  author: 'Hélène Dupont',
  correspondent: 'François Lefèvre',
  questions: ['Pouvez-vous m’envoyer la facture d’octobre ?', 'Quand arrive la nouvelle pompe ?'],
  bodies: [
    ['Bonjour François,', 'Le colis est parti.\nLa facture suit.'],
    ['Oui, mardi à 10 h.', 'Cordialement,\nHélène'],
    ['À lundi !'],
    ['Voici les points :\n- le prix\n- la date'],
    ['Le 5 janvier 2026 me convient, à 10:00 si possible.', 'Bien à vous'],
    ['Envoyé hier par la poste, comme vous l’avez écrit.'],
  ],
  gmail: ({ name, address }, d) =>
    `Le ${d.weekday} ${d.day} ${d.month} ${d.year} à ${d.time}, ${name} <${address}> a écrit :`,
  apple: ({ name, address }, d) =>
    `Le ${d.day} ${d.month} ${d.year} à ${d.time}, ${name} <${address}> a écrit :`,
  thunderbird: ({ name }, d) => `Le ${d.numeric} à ${d.time}, ${name} a écrit :`,
  labels: ['De ', 'Envoyé ', 'À ', 'Objet '],
  original: 'Message d’origine',
  iphone: 'Envoyé de mon iPhone',
  samsung: 'Envoyé depuis mon appareil Galaxy',
  outlookMobile: 'Télécharger Outlook pour iOS',
  reply: 'RE: ',
};

export const spanish: Language = {
  code: 'es',
  locale: 'es-ES',
  author: 'José García',
  correspondent: 'María Núñez',
  questions: ['¿Puede enviarme la factura de octubre?', '¿Cuándo llega la nueva bomba?'],
  bodies: [
    ['Hola María:', 'El martes puedo.\nLa factura va adjunta.'],
    ['A las 10:00, de acuerdo.', 'Saludos,\nJosé'],
    ['Sí.'],
    ['Quedan dos cosas:\n1. el precio\n2. la fecha'],
    ['El 5 de enero de 2026 a las 10:00 me viene bien.', 'Un abrazo'],
    ['Enviado ayer por correo. Gracias por lo que escribió usted.'],
  ],
  gmail: ({ name, address }, d) =>
    `El ${d.weekday}, ${d.day} ${d.month} ${d.year} a las ${d.time}, ${name} (<${address}>) escribió:`,
  apple: ({ name, address }, d) =>
    `El ${d.day} ${d.month} ${d.year}, a las ${d.time}, ${name} <${address}> escribió:`,
  thunderbird: ({ name }, d) => `El ${d.numeric} a las ${d.time}, ${name} escribió:`,
  labels: ['De', 'Enviado', 'Para', 'Asunto'],
  original: 'Mensaje original',
  iphone: 'Enviado desde mi iPhone',
  samsung: 'Enviado desde mi Galaxy',
  outlookMobile: 'Obtener Outlook para iOS',
  reply: 'RE: ',
};

export const italian: Language = {
  code: 'it',
  locale: 'it-IT',
  author: 'Nicolò Rossi',
  correspondent: 'Giulia Bianchi',
  questions: ['Può inviarmi la fattura di ottobre?', 'Quando arriva la nuova pompa?'],
  bodies: [
    ['Ciao Giulia,', 'il martedì va bene.\nLa fattura è allegata.'],
    ['Sì, alle 10:00.', 'Cordiali saluti\nNicolò'],
    ['No, grazie.'],
    ['Restano due cose:\n- il prezzo\n- la data'],
    ['Il 5 gennaio 2026 alle 10:00 mi va bene.', 'A presto'],
    ['Inviato ieri per posta, come mi ha scritto lei.'],
  ],
  gmail: ({ name, address }, d) =>
    `Il giorno ${d.weekday} ${d.day} ${d.month} ${d.year} alle ore ${d.time} ${name} <${address}> ha scritto:`,
  apple: ({ name, address }, d) =>
    `Il giorno ${d.day} ${d.month} ${d.year}, alle ore ${d.time}, ${name} <${address}> ha scritto:`,
  thunderbird: ({ name }, d) => `Il ${d.numeric} ${d.time}, ${name} ha scritto:`,
  labels: ['Da', 'Inviato', 'A', 'Oggetto'],
  original: 'Messaggio originale',
  iphone: 'Inviato da iPhone',
  samsung: 'Inviato dal mio Galaxy',
  outlookMobile: 'Scarica Outlook per iOS',
  reply: 'R: ',
};

export const portuguese: Language = {
  code: 'pt',
  locale: 'pt-BR',
  author: 'João Conceição',
  correspondent: 'Inês Araújo',
  questions: ['Pode enviar-me a fatura de outubro?', 'Quando chega a nova bomba?'],
  bodies: [
    ['Olá Inês,', 'Em anexo vai a fatura.\nA bomba chega na terça.'],
    ['Às 10:00, combinado.', 'Abraço\nJoão'],
    ['Não.'],
    ['Faltam duas coisas:\n1. o preço\n2. a data'],
    ['Em 5 de janeiro de 2026 às 10:00 dá certo.', 'Atenciosamente'],
    ['Enviado ontem pelo correio, como você escreveu.'],
  ],
  gmail: ({ name, address }, d) =>
    `Em ${d.weekday}, ${d.day} de ${d.month} de ${d.year} às ${d.time}, ${name} <${address}> escreveu:`,
  apple: ({ name, address }, d) =>
    `Em ${d.day} de ${d.month} de ${d.year}, à(s) ${d.time}, ${name} <${address}> escreveu:`,
  thunderbird: ({ name }, d) => `Em ${d.numeric} ${d.time}, ${name} escreveu:`,
  labels: ['De', 'Enviada', 'Para', 'Assunto'],
  original: 'Mensagem original',
  iphone: 'Enviado do meu iPhone',
  samsung: 'Enviado do meu Galaxy',
  outlookMobile: 'Obter o Outlook para iOS',
  reply: 'RES: ',
};
