// Any user can write names, subjects and messages. They must not move the cursor, set colors or
// change the writing direction of the text beside them.
const controlCharacters = /\p{Cc}/gu
const invisibleCharacters = /[\p{Cf}\p{Cs}]/gu
/** Emoji and some scripts need them. */
const joiners = new Set(['\u200c', '\u200d'])

const removeInvisible = (text: string) =>
  text.replace(invisibleCharacters, (character) => (joiners.has(character) ? character : ''))

/** One line without characters that control a terminal. */
export const oneLine = (text: string) =>
  removeInvisible(text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')).trim()

/** The lines of a text, without characters that control a terminal. */
export const splitLines = (text: string) =>
  text
    .split(/\r\n|[\r\n\u2028\u2029]/)
    .map((line) =>
      removeInvisible(line.replaceAll('\t', '    ').replace(controlCharacters, '')).trimEnd(),
    )

const graphemeSegmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
const graphemesOf = (text: string) =>
  [...graphemeSegmenter.segment(text)].map(({ segment }) => segment)

// Graphemes of two columns: emoji and East Asian scripts, without halfwidth forms. Approximates the
// table of Unicode Standard Annex #11.
const wide =
  /^[[\p{Emoji_Presentation}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff01-\uff60\uffe0-\uffe6]--[\uff61-\uffdc]]|\ufe0f/v
const columnsOf = (grapheme: string) => {
  if (/^[\p{M}\u200c\u200d]+$/u.test(grapheme)) return 0
  return wide.test(grapheme) ? 2 : 1
}

/** The columns that a text takes in a terminal. */
export const width = (text: string) =>
  graphemesOf(text).reduce((sum, grapheme) => sum + columnsOf(grapheme), 0)

/** Pads the text with spaces to `columns`, or cuts it with an ellipsis. */
export function fit(text: string, columns: number): string {
  if (columns < 1) return ''
  const padding = columns - width(text)
  if (padding >= 0) return text + ' '.repeat(padding)
  let prefix = ''
  let used = 0
  for (const grapheme of graphemesOf(text)) {
    used += columnsOf(grapheme)
    if (used >= columns) break
    prefix += grapheme
  }
  return fit(`${prefix}…`, columns)
}

/** Pads the text with spaces before it to `columns`, or cuts it with an ellipsis. */
export const fitRight = (text: string, columns: number) =>
  ' '.repeat(Math.max(0, columns - width(text))) + fit(text, Math.min(columns, width(text)))

/** Wraps a line at spaces and repeats its indent. A longer word, such as a URL, is not cut. */
export function wrap(line: string, columns: number): string[] {
  const [indent = ''] = /^ */.exec(line) ?? []
  const wrapped: string[] = []
  let current = ''
  for (const word of line.slice(indent.length).split(' ')) {
    const candidate = current === '' ? indent + word : `${current} ${word}`
    if (current !== '' && width(candidate) > columns) {
      wrapped.push(current)
      current = indent + word
    } else current = candidate
  }
  return [...wrapped, current]
}
