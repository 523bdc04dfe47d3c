/** How spreadsheets write true and false, by language; and people yes and no, in some of them. */
const words: readonly (readonly [truths: string, falsehoods: string])[] = [
  ['true 1 yes y', 'false 0 no n'],
  ['wahr ja', 'falsch nein'], // German
  ['vrai oui', 'faux non'], // French
  ['verdadero sí', 'falso'], // Spanish
  ['vero sì', ''], // Italian
  ['verdadeiro sim', 'não nao'], // Portuguese, Galician
  ['cert veritat', 'fals'], // Catalan
  ['egia', 'faltsua gezurra'], // Basque
  ['waar', 'onwaar nee'], // Dutch
  ['sant', 'falskt nej'], // Swedish
  ['sand', 'falsk'], // Danish
  ['sann', 'usann nei'], // Norwegian
  ['satt', 'ósatt'], // Icelandic
  ['tosi', 'epätosi'], // Finnish
  ['tõene', 'väär'], // Estonian
  ['patiess', 'aplams'], // Latvian
  ['tiesa teisinga taip', 'netiesa klaidinga'], // Lithuanian
  ['prawda tak', 'fałsz nie'], // Polish
  ['pravda ano áno', 'nepravda ne nie'], // Czech, Slovak
  ['igaz igen', 'hamis nem'], // Hungarian
  ['adevărat da', 'fals nu'], // Romanian
  ['istina točno da', 'neistina netočno ne'], // Croatian, Bosnian, Serbian
  ['истина тачно да', 'ложь лъжа нетачно нет не'], // Russian, Bulgarian, Serbian
  ['істина так', 'хибність ні'], // Ukrainian
  ['ісціна', 'хлусня'], // Belarusian
  ['prav resnica', 'neprav neresnica'], // Slovenian
  ['αληθης αληθής ναι', 'ψευδης ψευδής όχι'], // Greek
  ['doğru evet', 'yanlış yanliş hayır hayir'], // Turkish, whose capital I has two small letters
  ['benar ya', 'salah tidak'], // Indonesian, Malay
  ['đúng', 'sai'], // Vietnamese
  ['是 真 はい', '否 假 偽 いいえ'], // Chinese, Japanese
];

const byWord = new Map(
  words.flatMap(([truths, falsehoods]) => [
    ...truths.split(' ').map((word) => [word, true] as const),
    ...falsehoods.split(' ').map((word) => [word, false] as const),
  ]),
);

const lengthMax = 20;

/** The truth value that a word stands for; `undefined` for any other text. */
export const truthOf = (text: string): boolean | undefined =>
  text.length > lengthMax ? undefined : byWord.get(text.trim().toLowerCase().normalize('NFC'));
