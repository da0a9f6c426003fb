/** Real words with the first ranks: about a hundred that say nothing by themselves, and then words of business mail. */
export const commonWords =
  `the to and of a in for is on that you this with it be we have are as at your or from if not will can our by an
  any all has please was but do me so my what which when there they their been would more about out up no one new also may other some
  who how time us just i he she only than then them these its into could should over after before now very here where were did
  update account order invoice payment meeting customer service team project report email support product company contract delivery
  price number date week month year day today tomorrow question answer information document file list page link website system access
  password user name address phone call office manager department sales marketing budget cost total amount balance refund credit card
  bank transfer account receipt tax due late early quarter annual monthly weekly daily schedule calendar event conference room travel
  flight hotel booking reservation ticket seat agenda notes minutes action item task deadline milestone release version feature bug
  issue problem solution change request approval review feedback comment suggestion proposal offer quote estimate purchase supplier
  vendor shipment tracking package warehouse stock inventory return warranty repair replacement quality test result data analysis
  chart table figure summary draft final copy signature agreement terms policy privacy security legal compliance audit risk insurance
  employee candidate interview position salary holiday vacation leave training course certificate school student research study`.split(
    /\s+/,
  );

/** The words that end most mails, in one language or in the other. */
export const closings = { english: 'regards', german: 'grüßen' };

/** Phrases of frequent words, which seldom follow each other by chance. */
export const setPhrases = commonWords
  .slice(110, 150)
  .map((word, at) => `${commonWords[170 + at]} the ${word} ${commonWords[210 + at]}`);
