import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { root, run } from './command.mjs'

const rules = [
  {
    // A clone must install from whatever registry its user has.
    files: /(^|\/)(package-lock\.json|\.npmrc)$/,
    pattern: /"resolved": "https?:|^\s*(@[^=]+:)?registry\s*=/m,
    complaint: 'names a package registry',
  },
  {
    files: /./,
    pattern: /(?<![\w.~:/-])\/(home|Users|work|workspace)\/[a-z][\w.-]*\//,
    complaint: 'holds a path of one machine',
  },
]

/**
 * Whether what is committed would work on any machine.
 * @returns {Promise<string[]>} what is wrong, a line each
 */
export async function checkTracked() {
  const { code, output } = await run('git', ['ls-files', '-z'])
  if (code !== 0) return [output.trim()]
  return output.split('\0').filter(isText).flatMap(complaintsAbout)
}

const binary = /\.(png|jpe?g|gif|webp|ico|woff2?|gz|br|zip)$/

/** @param {string} path */
function isText(path) {
  const full = join(root, path)
  return path !== '' && !binary.test(path) && existsSync(full) && statSync(full).isFile()
}

/** @param {string} path */
function complaintsAbout(path) {
  const lines = readFileSync(join(root, path), 'utf8').split('\n')
  return rules
    .filter((rule) => rule.files.test(path))
    .flatMap(({ pattern, complaint }) => {
      const index = lines.findIndex((line) => pattern.test(line))
      return index < 0 ? [] : [`${path}:${index + 1} ${complaint}: ${lines[index].trim()}`]
    })
}
