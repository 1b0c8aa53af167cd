import { ToolError } from './command.mjs'

/**
 * The base commit of the changes that `npm test` tests; undefined to test everything.
 * @param {readonly string[]} args
 */
export function readBaseCommit([argument, ...others]) {
  if (argument === undefined) return undefined
  const match = /^--changed(?:=(.+))?$/.exec(argument)
  if (!match || others.length > 0) {
    throw new ToolError(
      'npm test accepts only --changed or --changed=<commit>. To run some tests: npm run test:unit -- <file>, npm run test:e2e -- <file>.',
    )
  }
  return match[1] ?? 'main'
}
