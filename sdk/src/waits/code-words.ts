/* The words around numbers, in the languages in which senders write: those that announce a one-time code, and those of other numbers. */

/** Words for other kinds of codes, which are not one-time codes. */
const otherCodes = [
  '(?:promo(?:tion)?|discount|coupon|voucher|gift(?: card)?|referral|zip|postal|post|area|country|error|exit|status|qr|bar|source|dress|colou?r|hex|html|tracking|booking|reservation|product|order|sort|swift|bic|iban|http|sku|tax|vat|branch|conference|region)[ -]?codes?\\b',
  '\\bcodes? ?(?:base|review|of conduct|path|editor|samples?|snippet)\\b',
  '(?:gutschein|rabatt|aktions|promo|farb|fehler|produkt|bar|strich|länder|tracking|buchungs|geschenk|kortings|fout|kleur|actie|cadeau|post)-?codes?\\b',
  '\\bcodes? (?:promo\\w*|postal|postaux|de réduction|barres?|couleur|d.erreur|cadeau|de suivi)',
  '\\bcódigos? (?:postal|de (?:descuento|desconto|barras|rastre\\w*|seguimiento|producto|produto|error|erro|reserva|color|cor|promo\\w*)|promo\\w*)',
  '\\bcodic\\w+ (?:postale|fiscale|sconto|promo\\w*|a barre|iban|colore|di (?:tracciamento|errore|prenotazione|sconto))',
  '(?:rabatt?|post|kampan[jy]|gave|presentkorts|fel|fejl|farve|sporings?)-?kod(?:er?|en)?\\b',
  '\\bkod\\w* (?:rabatow|pocztow|promocyjn|kreskow|błęd|kolor|produkt)\\w*',
  '(?:posta|indirim|kampanya|promosyon|ürün|hata|takip|kupon|alan|ülke) ?kod\\w*',
  '\\bkode (?:pos|promo|diskon|voucher|kupon)\\b',
  '\\bkód\\w* (?:produkt|chyb|kup[oó]n)\\w*|(?:slevov|poštovn|hib|kupon|irányító)\\w* ?kód\\w*|\\bcod(?:ul)? (?:poștal|promo\\w*|de reducere)',
  'промокод\\p{L}*|(?:почтов\\p{L}+|штрих|скидочн\\p{L}+|поштов\\p{L}+)[ -]?код\\p{L}*|код\\p{L}* (?:товара|ошибки|скидки|купона|региона|помилки|знижки)',
  '优惠码|優惠碼|折扣码|折扣碼|促销码|兑换码|二维码|邮政编码|条形码|错误代码|(?:クーポン|割引|優待|商品|エラー|郵便|バー|QR)コード|(?:할인|쿠폰|프로모션|상품|오류|우편|바|QR) ?코드',
  'رمز (?:الخصم|القسيمة)|الرمز البريدي|mã (?:giảm giá|đơn|vận đơn|bưu|khuyến mãi)',
].join('|');

/** The words that announce a code. Compounds count, as in "Bestätigungscode". */
const announcing = [
  'codes?\\b|kode[nrs]?\\b|passcode|\\bpin\\b|\\btan\\b|\\botp\\b|one-time|verification|einmal(?:kenn|pass)wort|\\bcódigos?|\\bcodice\\b|\\bcodul?\\b|(?:\\b|engångs|bekräftelse|verifierings)kod(?:en)?\\b',
  '\\bkod(?:u|em|ie|y|unuz|unuzu|um)?\\b|kódo?d?(?![a-záéíóúěščřžý])|koodi|clave (?:de acceso|dinámica)|κωδικ|код|קוד|رمز|كود|कोड|ओटीपी|รหัส|(?<![a-z])mã(?= |:)',
  '验证码|驗證碼|认证码|安全码|校验码|动态码|动态密码|確認碼|认证号码|認証番号|確認番号|暗証番号|ワンタイムパスワード|コード|인증 ?번호|코드',
].join('|');

/** Finds the words that announce a code. The group `other` finds the words for other codes, which contain such a word. */
export const codeWords = new RegExp(`(?<other>${otherCodes})|${announcing}`, 'giu');

const otherNumbers = [
  '\\b(?:orders?|invoice|ticket|case|reference|ref|account|card|booking|tracking|customer|confirmation number|flight|suite|box|room|row|seat|version|build|release|commit|request|user|host|port|conference|meeting(?: id)?|phone|mobile|tel|call|fax|dial|(?:usd|eur|gbp|chf|ral)|ending(?: in)?|ends(?: in| with)?|endend auf|copyright)',
  '\\b(?:bestell\\w*|auftrag\\w*|rechnung\\w*|kunden\\w*|vorgang\\w*|sendung\\w*|postleitzahl|plz|telefon\\w*|rufnummer|commande|facture|colis|client|siret|siren|tél\\w*|pedido|factura|fatura|importe|teléfono|telefone|ordine|fattura|spedizione|cap|bestel\\w*|factuur\\w*|klant\\w*|kvk)',
  '\\b(?:order\\w*|ordre\\w*|faktur\\w*|postnummer|tlf|zamówieni\\w*|objednávk\\w*|rendelés\\w*|comand\\w+|sipariş\\w*|müşteri\\w*|đơn hàng|pesanan)',
  '(?:заказ|счет|счёт|индекс|телефон|клиент|замовлен)\\p{L}*|订单号?|訂單(?:編號)?|快递单号|邮编|电话|電話|客服|(?:注文|伝票|郵便|お客様)番号|주문 ?번호|운송장 ?번호|우편번호|고객센터|전화|رقم الطلب|هاتف',
].join('|');
const between =
  '\\W{0,3}(?:(?:no|nr|number|nummer|número|numéro|numero|numer|num|numarası|id|is|ist|est|es|er|on|us at|at)\\b\\W{0,3}){0,2}';

/** Matches text before a number that shows that it is not a code, whatever else is near. */
export const beforeOtherNumber = new RegExp(`(?:[$€£¥₽₺₩#+@=&©№]\\s?|(?:${otherNumbers})${between})$`, 'iu');

/** Matches text after a number that shows the same. */
export const afterOtherNumber =
  /^\s?(?:%|[€$£¥₽₺₩₫元円원đ]|(?:usd|eur|gbp|chf|pln|sek|kr|zł|tl|kč|ft|lei|руб|kb|mb|gb|px|am|pm|(?:minut|second|sekund|hour|stunde|day|tage|user|people|point|mile|file|time)\w*)(?![a-z])|\p{L}+ (?:road|rd|street|st|avenue|ave|boulevard|blvd|drive|lane|parkway|way|straße|strasse)\b)/iu;

/** Matches text near a code for a discount, not for signing in. */
export const bargain =
  /checkout|discount|coupon|% ?off|promo|save \d|rabatt|gutschein|remise|descuento|sconto/iu;
