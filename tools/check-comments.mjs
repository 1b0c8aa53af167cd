import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, run } from './command.mjs'

const width = 100
const codeEndings = ['ts', 'tsx', 'mjs', 'php', 'css']
const codeComment = /^\s*(\/\/|\{?\/\*|\*)(?! biome-ignore)/
const numberSignComment = /^\s*#/

const deploymentFiles = ['yaml', 'yml', 'sh', 'cfg', 'service', 'socket', 'Containerfile'].flatMap(
  (ending) => [`deploy/*${ending}`, `.github/*${ending}`],
)

/**
 * Finds comment lines that are too long: the formatter does not wrap comments.
 * @returns {Promise<string[]>}
 */
export async function checkComments() {
  const patterns = [...codeEndings.map((ending) => `*.${ending}`), '.ci/run', ...deploymentFiles]
  const { output } = await run('git', ['ls-files', ...patterns])
  const files = output.split('\n').filter((file) => file !== '' && existsSync(join(root, file)))
  return files.flatMap((file) =>
    longComments(file, readFileSync(join(root, file), 'utf8')).map(
      (line) => `${file}:${line}: a comment line has more than ${width} columns`,
    ),
  )
}

/**
 * The numbers of the comment lines that are too long. A line with a URL may be longer.
 * @param {string} file its name decides what a comment is
 * @param {string} text
 */
export function longComments(file, text) {
  const comment = codeEndings.some((ending) => file.endsWith(`.${ending}`))
    ? codeComment
    : numberSignComment
  return text
    .split('\n')
    .flatMap((line, index) =>
      comment.test(line) && !/https?:/.test(line) && [...line].length > width ? [index + 1] : [],
    )
}
