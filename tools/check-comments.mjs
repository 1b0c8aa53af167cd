import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, run } from './command.mjs'

const width = 100
const comment = /^\s*(\/\/|\/?\*)(?! biome-ignore)(?!.*https?:)/

/**
 * Finds comment lines that are too long: the formatter does not wrap comments.
 * @returns {Promise<string[]>}
 */
export async function checkComments() {
  const { output } = await run('git', ['ls-files', '*.ts', '*.tsx', '*.mjs'])
  const files = output.split('\n').filter((file) => file !== '' && existsSync(join(root, file)))
  return files.flatMap((file) =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .flatMap((line, index) =>
        comment.test(line) && [...line].length > width
          ? [`${file}:${index + 1}: a comment line has more than ${width} columns`]
          : [],
      ),
  )
}
