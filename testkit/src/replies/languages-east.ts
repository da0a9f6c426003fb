import type { Language } from './language.ts';

export const polish: Language = {
  code: 'pl',
  locale: 'pl-PL',
  author: 'Łukasz Wójcik',
  correspondent: 'Zofia Dąbrowska',
  questions: ['Czy może Pan przesłać fakturę za październik?', 'Kiedy będzie nowa pompa?'],
  bodies: [
    ['Dzień dobry,', 'W załączniku faktura.\nPompa będzie we wtorek.'],
    ['O 10:00 pasuje.', 'Pozdrawiam\nŁukasz'],
    ['Nie.'],
    ['Zostały dwie sprawy:\n- cena\n- termin'],
    ['W dniu 5.01.2026 o 10:00 mogę przyjść.', 'Z poważaniem'],
    ['Wysłane wczoraj pocztą, jak Pani napisała.'],
  ],
  gmail: ({ name, address }, d) =>
    `${d.weekday}, ${d.day} ${d.month} ${d.year} o ${d.time} ${name} <${address}> napisał(a):`,
  apple: ({ name, address }, d) =>
    `Wiadomość napisana przez ${name} <${address}> w dniu ${d.day} ${d.month} ${d.year}, o godz. ${d.time}:`,
  thunderbird: ({ name }, d) => `W dniu ${d.numeric} o ${d.time}, ${name} pisze:`,
  labels: ['Od', 'Wysłano', 'Do', 'Temat'],
  original: 'Oryginalna wiadomość',
  iphone: 'Wysłane z iPhone’a',
  samsung: 'Wysłano z urządzenia Galaxy',
  outlookMobile: 'Pobierz aplikację Outlook dla systemu iOS',
  reply: 'Odp: ',
};

export const czech: Language = {
  code: 'cs',
  locale: 'cs-CZ',
  author: 'Jiří Novák',
  correspondent: 'Šárka Dvořáková',
  questions: ['Můžete mi poslat fakturu za říjen?', 'Kdy dorazí nové čerpadlo?'],
  bodies: [
    ['Dobrý den,', 'faktura je v příloze.\nPo obědě zavolám.'],
    ['V 10:00 to jde.', 'S pozdravem\nJiří'],
    ['Ne.'],
    ['Zbývají dvě věci:\n1. cena\n2. termín'],
    ['Dne 5. 1. 2026 v 10:00 mohu přijít.', 'Hezký den'],
    ['Odesláno včera poštou, jak jste psala.'],
  ],
  gmail: ({ name, address }, d) =>
    `${d.weekday} ${d.numeric} v ${d.time} odesílatel ${name} <${address}> napsal:`,
  apple: ({ name, address }, d) => `${d.numeric} v ${d.time}, ${name} <${address}> napsal:`,
  thunderbird: ({ name }, d) => `Dne ${d.numeric} v ${d.time} ${name} napsal(a):`,
  labels: ['Od', 'Odesláno', 'Komu', 'Předmět'],
  original: 'Původní zpráva',
  iphone: 'Odesláno z iPhonu',
  samsung: 'Odesláno z mého telefonu Galaxy',
  outlookMobile: 'Získat Outlook pro iOS',
  reply: 'Re: ',
};

export const russian: Language = {
  code: 'ru',
  locale: 'ru-RU',
  author: 'Игорь Петров',
  correspondent: 'Ольга Смирнова',
  questions: ['Пришлите, пожалуйста, счёт за октябрь?', 'Когда придёт новый насос?'],
  bodies: [
    ['Здравствуйте, Ольга!', 'Счёт во вложении.\nНасос будет во вторник.'],
    ['В 10:00 подойдёт.', 'С уважением,\nИгорь'],
    ['Нет.'],
    ['Осталось два вопроса:\n- цена\n- срок'],
    ['5 января 2026 г. в 10:00 мне удобно.', 'До встречи'],
    ['Отправлено вчера почтой, как вы и просили.'],
  ],
  gmail: ({ name, address }, d) =>
    `${d.weekday}, ${d.day} ${d.month} ${d.year} г. в ${d.time}, ${name} <${address}>:`,
  apple: ({ name, address }, d) =>
    `${d.day} ${d.month} ${d.year} г., в ${d.time}, ${name} <${address}> написал(а):`,
  thunderbird: ({ name }, d) => `${d.numeric} ${d.time}, ${name} пишет:`,
  labels: ['От', 'Отправлено', 'Кому', 'Тема'],
  original: 'Исходное сообщение',
  iphone: 'Отправлено с iPhone',
  samsung: 'Отправлено с моего устройства Galaxy',
  outlookMobile: 'Скачать Outlook для iOS',
  reply: 'Re: ',
};

export const turkish: Language = {
  code: 'tr',
  locale: 'tr-TR',
  author: 'Çağrı Yıldız',
  correspondent: 'Şule Öztürk',
  questions: ['Ekim faturasını gönderir misiniz?', 'Yeni pompa ne zaman gelir?'],
  bodies: [
    ['Merhaba Şule,', 'Fatura ektedir.\nPompa salı günü gelir.'],
    ['Saat 10:00 uygun.', 'Saygılarımla\nÇağrı'],
    ['Hayır.'],
    ['İki konu kaldı:\n- fiyat\n- tarih'],
    ['5.01.2026 saat 10:00 uygundur.', 'İyi günler'],
    ['Dün postayla gönderildi, sizin yazdığınız gibi.'],
  ],
  gmail: ({ name, address }, d) =>
    `${name} <${address}>, ${d.day} ${d.month} ${d.year} ${d.weekday}, ${d.time} tarihinde şunu yazdı:`,
  apple: ({ name, address }, d) =>
    `${name} <${address}> şunları yazdı (${d.day} ${d.month} ${d.year} ${d.time}):`,
  thunderbird: ({ name }, d) => `${d.numeric} ${d.time} tarihinde ${name} yazdı:`,
  labels: ['Kimden', 'Gönderildi', 'Kime', 'Konu'],
  original: 'Orijinal Mesaj',
  iphone: 'iPhone’umdan gönderildi',
  samsung: 'Galaxy cihazımdan gönderildi',
  outlookMobile: 'iOS için Outlook’u edinin',
  reply: 'Ynt: ',
};

export const japanese: Language = {
  code: 'ja',
  locale: 'ja-JP',
  author: '田中 一郎',
  correspondent: '佐藤 花子',
  questions: ['10月分の請求書を送っていただけますか。', '新しいポンプはいつ届きますか。'],
  bodies: [
    ['佐藤様', 'お世話になっております。\n請求書を添付いたします。'],
    ['10:00で大丈夫です。', '田中'],
    ['いいえ。'],
    ['残りは二点です：\n・価格\n・納期'],
    ['2026年1月5日 10:00でお願いします。', 'よろしくお願いいたします。'],
    ['昨日倉庫から送信しました。'],
  ],
  gmail: ({ name, address }, d) =>
    `${d.year}年${d.month}${d.day}日(${d.weekday}) ${d.time} ${name} <${address}>:`,
  apple: ({ name, address }, d) => `${d.numeric} ${d.time}、${name} <${address}>のメール:`,
  thunderbird: ({ name }, d) => `On ${d.numeric} ${d.time}, ${name} wrote:`,
  labels: ['差出人', '送信日時', '宛先', '件名'],
  original: '元のメッセージ',
  iphone: 'iPhoneから送信',
  samsung: 'Galaxyから送信',
  outlookMobile: 'Outlook for iOS を入手',
  reply: 'Re: ',
};

export const chinese: Language = {
  code: 'zh',
  locale: 'zh-CN',
  author: '王伟',
  correspondent: '李娜',
  questions: ['能把十月的发票发给我吗？', '新水泵什么时候到？'],
  bodies: [
    ['李娜，你好：', '发票见附件。\n水泵周二到。'],
    ['10:00可以。', '王伟'],
    ['不用了。'],
    ['还有两点：\n1. 价格\n2. 日期'],
    ['2026年1月5日 10:00方便。', '谢谢'],
    ['昨天已经从仓库寄出，正如你写的。'],
  ],
  gmail: ({ name, address }, d) =>
    `${name} <${address}> 于${d.year}年${d.month}${d.day}日${d.weekday} ${d.time}写道：`,
  apple: ({ name, address }, d) => `${d.year}年${d.month}${d.day}日 ${d.time}，${name} <${address}> 写道：`,
  thunderbird: ({ name }, d) => `在 ${d.numeric} ${d.time}, ${name} 写道:`,
  labels: ['发件人', '发送时间', '收件人', '主题'],
  original: '原始邮件',
  iphone: '发自我的 iPhone',
  samsung: '发自我的 Galaxy',
  outlookMobile: '获取 Outlook for iOS',
  reply: '回复：',
};
