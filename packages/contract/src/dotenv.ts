export type Dotenv = {
  variables: Record<string, string>
  /** The numbers of the lines that are not NAME=value, from 1. */
  wrongLines: number[]
}

const blank = /[^\S\n]*(?:#[^\n]*)?(?:\n|$)/y
const name = /[^\S\n]*(?:export[^\S\n]+)?([^\s=#"']+)[^\S\n]*=[^\S\n]*/y
const quoted = /(?:"((?:\\[\s\S]|[^"\\])*)"|'([^']*)')[^\S\n]*(?:#[^\n]*)?(?:\n|$)/y
const bare = /(?!["'])([^\n]*)(?:\n|$)/y
const line = /[^\n]*(?:\n|$)/y

const escapes: Record<string, string> = { n: '\n', r: '\r', t: '\t' }

/**
 * The variables of a `.env` file, as its common readers have them: `export` is optional, quoted
 * values may have line breaks, `#` after a blank starts a comment, and only double quotes have
 * escapes. The last of two equal names counts. Nothing is expanded.
 */
export function parseDotenv(file: string): Dotenv {
  const text = file.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n')
  const variables = new Map<string, string>()
  const wrongLines: number[] = []
  let position = 0
  const take = (pattern: RegExp) => {
    pattern.lastIndex = position
    const match = pattern.exec(text)
    if (match) position = pattern.lastIndex
    return match
  }
  while (position < text.length) {
    const start = position
    if (take(blank)) continue
    const assigned = take(name)?.[1]
    const value = assigned === undefined ? undefined : takeValue(take)
    if (assigned !== undefined && value !== undefined) {
      variables.set(assigned, value)
      continue
    }
    position = start
    wrongLines.push(text.slice(0, start).split('\n').length)
    take(line)
  }
  return { variables: Object.fromEntries(variables), wrongLines }
}

function takeValue(take: (pattern: RegExp) => RegExpExecArray | null): string | undefined {
  const [, double, single] = take(quoted) ?? []
  if (double !== undefined)
    return double.replace(/\\([\s\S])/g, (_, letter: string) => escapes[letter] ?? letter)
  return (
    single ??
    take(bare)?.[1]
      ?.replace(/(^|\s)#.*$/, '')
      .trim()
  )
}
