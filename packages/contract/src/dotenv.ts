export type Dotenv = {
  variables: Record<string, string>
  /** The numbers of the lines that are not NAME=value, from 1. */
  wrongLines: number[]
}

// Sticky patterns: each matches at `position`.
const blankLine = /[^\S\n]*(?:#[^\n]*)?(?:\n|$)/y
const assignment = /[^\S\n]*(?:export[^\S\n]+)?([^\s=#"']+)[^\S\n]*=[^\S\n]*/y
const quotedValue = /(?:"((?:\\[\s\S]|[^"\\])*)"|'([^']*)')[^\S\n]*(?:#[^\n]*)?(?:\n|$)/y
const unquotedValue = /(?!["'])([^\n]*)(?:\n|$)/y
const restOfLine = /[^\n]*(?:\n|$)/y

const escapes: Record<string, string> = { n: '\n', r: '\r', t: '\t' }

/**
 * The variables of a `.env` file, parsed as dotenv libraries do: `export` is optional, quoted
 * values may have line breaks, `#` after whitespace starts a comment, and only double quotes have
 * escapes. The last of duplicate names wins. `$VAR` is not expanded.
 */
export function parseDotenv(file: string): Dotenv {
  const text = file.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n')
  const variables = new Map<string, string>()
  const wrongLines: number[] = []
  let position = 0
  const matchHere = (pattern: RegExp) => {
    pattern.lastIndex = position
    const match = pattern.exec(text)
    if (match) position = pattern.lastIndex
    return match
  }
  while (position < text.length) {
    const start = position
    if (matchHere(blankLine)) continue
    const name = matchHere(assignment)?.[1]
    const value = name === undefined ? undefined : parseValue(matchHere)
    if (name !== undefined && value !== undefined) {
      variables.set(name, value)
      continue
    }
    position = start
    wrongLines.push(text.slice(0, start).split('\n').length)
    matchHere(restOfLine)
  }
  return { variables: Object.fromEntries(variables), wrongLines }
}

function parseValue(matchHere: (pattern: RegExp) => RegExpExecArray | null): string | undefined {
  const [, double, single] = matchHere(quotedValue) ?? []
  if (double !== undefined)
    return double.replace(/\\([\s\S])/g, (_, letter: string) => escapes[letter] ?? letter)
  return (
    single ??
    matchHere(unquotedValue)?.[1]
      ?.replace(/(^|\s)#.*$/, '')
      .trim()
  )
}
