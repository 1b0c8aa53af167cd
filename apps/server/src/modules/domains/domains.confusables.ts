/**
 * Lower-case letters and digits that look like ASCII ones: the classes of Unicode's confusables.txt
 * (UTS #39, version 15.0), as far as domain names can have them (UTS #46), but 0 as o, and the
 * palochka (ӏ) as l, which it equals in most fonts. Two letters may look like one: rn and vv.
 */
const lookAlikes = {
  2: 'ᒿ',
  3: '𖼻𑣊',
  4: 'Ꮞ',
  6: 'бᏮ𑣕',
  7: '𑣆',
  8: '৪੪ȣ𐌚',
  9: '੧୨৭൭𑣌𑣖',
  a: 'ɑαа',
  b: 'Ꮟᑲᖯ',
  c: 'ᴄⲥс𐐽',
  d: 'ԁᏧᑯꓒ',
  e: 'ꬲеҽ',
  f: 'ꬵꞙẝք',
  g: 'ɡᶃƍց',
  h: 'һհᏂ',
  i: 'ıɪɩιіꙇᎥ𑣃',
  j: 'ϳј',
  l: '1ӏ۱ǀⵏᛁꓲ𖼨𐊊𐌉',
  n: 'ոռ',
  o: '0०੦૦௦౦೦൦๐໐၀۵ᴏᴑꬽοσⲟоჿօഠဝ𐓪𑣈𑣗𐐬',
  p: 'ρⲣр',
  q: 'ԛգզ',
  r: 'ꭇꭈᴦⲅг',
  s: 'ꜱƽѕ𑣁𐑈',
  u: 'ꞟᴜꭎꭒʋυս𐓶𑣘',
  v: 'ᴠνѵ𑜆𑣀',
  w: 'ɯᴡѡԝա𑜊𑜎𑜏',
  x: 'хᕁᕽ',
  y: 'ɣᶌʏỿꭚγуүყ𑣜',
  z: 'ᴢ𑣄',
}

const asciiOf = new Map(
  Object.entries(lookAlikes).flatMap(([ascii, others]) =>
    [...others].map((other) => [other, ascii] as const),
  ),
)

/** The skeleton of a name, without accents: two names with one skeleton look alike (UTS #39 §4). */
export const skeletonOf = (name: string) =>
  [...name.normalize('NFD').replace(/\p{M}/gu, '')]
    .map((character) => asciiOf.get(character) ?? character)
    .join('')
    .replaceAll('m', 'rn')
    .replaceAll('w', 'vv')
