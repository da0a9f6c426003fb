/** A mail of the demo workspace. */
export interface DemoMail {
  from: string;
  subject: string;
  text: string;
  html?: string;
  files?: { filename: string; content: string | Buffer }[];
}

const order = `<table width="100%" style="max-width:560px;border-collapse:collapse;font-family:Georgia,serif">
<tr><td style="padding:24px;background:#f4f1ea"><h2 style="margin:0">Order 2041</h2><p>Thank you, Ada. This is what you ordered:</p>
<table width="100%" cellpadding="6"><tr><th align="left">Item</th><th align="right">Price</th></tr>
<tr><td>Analytical engine, small</td><td align="right">1,842.00</td></tr><tr><td>Punched cards, 500</td><td align="right">12.50</td></tr></table>
<p><a href="https://shop.example/orders/2041">See the order</a></p><img src="https://shop.example/pixel.gif" width="1" height="1"></td></tr></table>`;

/** Mails that come in to the demo workspace, the one that is answered first. */
export const demoMails: DemoMail[] = [
  {
    from: '"Ada Lovelace" <ada@remote.example>',
    subject: 'Where is my order 2041?',
    text: 'Good morning,\n\nI ordered an analytical engine on the 12th, and nothing has arrived. Could you tell me where it is?\n\nKind regards\nAda',
    html: `<p>Good morning,</p><p>I ordered an analytical engine on the 12th, and nothing has arrived. Could you tell me where it is?</p>${order}<p>Kind regards<br>Ada</p>`,
    files: [{ filename: 'order-2041.txt', content: 'Order 2041: one analytical engine, small.' }],
  },
  {
    from: '"Charles Babbage" <charles@remote.example>',
    subject: 'Invoice for November',
    text: 'Hello,\n\nmay I have the invoice for November as a PDF?\n\nCharles',
  },
  {
    from: '"Grace Hopper" <grace@navy.example>',
    subject: 'A bug in relay 70',
    text: 'We found a moth in it. A photograph is attached.',
    files: [{ filename: 'moth.txt', content: 'First actual case of bug being found.' }],
  },
  {
    from: '"Shop" <no-reply@shop.example>',
    subject: 'Your code is 482 913',
    text: 'Use the code 482 913 to sign in. It is good for ten minutes.',
  },
  {
    from: '"Katherine Johnson" <katherine@space.example>',
    subject: 'Numbers for Thursday',
    text: 'The trajectory holds to the sixth digit. Shall we meet on Thursday at ten?',
  },
  {
    from: '"Alan Turing" <alan@bletchley.example>',
    subject: 'Re: Imitation game',
    text: 'I am not sure that it can tell. Let us ask it another question.\n\n> Can it pass?',
  },
  {
    from: '"Hedy Lamarr" <hedy@frequency.example>',
    subject: 'Hopping to another channel',
    text: 'The schedule for next week is below. Please confirm the slots.',
  },
  {
    from: '"Newsletter" <news@letters.example>',
    subject:
      'Ten things that agents do before breakfast, in a subject that is much longer than any list has room for',
    text: 'Read on.',
    html: '<h1>Ten things</h1><p>Read on.</p>',
  },
];
