// Names, subjects and messages come from anybody: nothing of them may move the cursor, change a colour,
// or turn the direction of what stands beside them.
const controls = /\p{Cc}/gu
const unseen = /[\p{Cf}\p{Cs}]/gu
/** They make up emoji and some scripts. */
const joiners = new Set(['\u200c', '\u200d'])

const seen = (text: string) => text.replace(unseen, (found) => (joiners.has(found) ? found : ''))

/** Text as one line that a terminal only shows. */
export const oneLine = (text: string) => seen(text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')).trim()

/** The lines of a text that a terminal only shows. */
export const linesOf = (text: string) =>
  text
    .split(/\r\n|[\r\n\u2028\u2029]/)
    .map((line) => seen(line.replaceAll('\t', '    ').replace(controls, '')).trimEnd())

const clusters = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
const clustersOf = (text: string) => [...clusters.segment(text)].map(({ segment }) => segment)

// Unicode Standard Annex #11: what takes two columns. Scripts stand for its table.
const wide =
  /^[[\p{Emoji_Presentation}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff01-\uff60\uffe0-\uffe6]--[\uff61-\uffdc]]|\ufe0f/v
const widthOfCluster = (cluster: string) => {
  if (/^[\p{M}\u200c\u200d]+$/u.test(cluster)) return 0
  return wide.test(cluster) ? 2 : 1
}

/** How many columns a text takes in a terminal. */
export const width = (text: string) =>
  clustersOf(text).reduce((sum, cluster) => sum + widthOfCluster(cluster), 0)

/** The text in so many columns: with blanks behind it, or cut, with an ellipsis to say so. */
export function fit(text: string, columns: number) {
  const room = columns - width(text)
  if (room >= 0) return text + ' '.repeat(room)
  let kept = ''
  let used = 0
  for (const cluster of clustersOf(text)) {
    used += widthOfCluster(cluster)
    if (used >= columns) break
    kept += cluster
  }
  return fit(`${kept}…`, columns)
}

/** The line broken at blanks; what it begins with goes on, and a word too long, such as an address, stays whole. */
export function wrap(line: string, columns: number): string[] {
  const [indent = ''] = /^ */.exec(line) ?? []
  const wrapped: string[] = []
  let current = ''
  for (const word of line.slice(indent.length).split(' ')) {
    const longer = current === '' ? indent + word : `${current} ${word}`
    if (current !== '' && width(longer) > columns) {
      wrapped.push(current)
      current = indent + word
    } else current = longer
  }
  return [...wrapped, current]
}
