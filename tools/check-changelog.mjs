import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './command.mjs'

const longest = 200

/** The problems of CHANGELOG.md. */
export const checkChangelog = () =>
  changelogProblems(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'))

/**
 * Finds entries that are too long, span several lines or exist twice.
 * @param {string} text
 * @returns {string[]}
 */
export function changelogProblems(text) {
  const lines = text.split('\n')
  return lines.flatMap((line, index) => {
    const place = `CHANGELOG.md:${index + 1}`
    if (/^\s+\S/.test(line)) return [`${place}: an entry is one line`]
    if (!line.startsWith('- ')) return []
    if ([...line].length > longest)
      return [
        `${place}: an entry has more than ${longest} characters; one sentence or two are enough`,
      ]
    return lines.indexOf(line) < index ? [`${place}: this entry exists twice`] : []
  })
}
