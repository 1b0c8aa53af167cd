import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { root, run, runTool, say, ToolError } from './command.mjs'
import { setUp } from './setup.mjs'

// `npm run bench [-- name ...]`: all benchmarks, or the named ones, one after the other.
await runTool(async () => {
  const { node, env } = await setUp()
  const suffix = '.bench.ts'
  const benchmarks = readdirSync(join(root, 'bench'))
    .filter((file) => file.endsWith(suffix))
    .map((file) => file.slice(0, -suffix.length))
    .sort()
  const named = process.argv.slice(2)
  const unknown = named.filter((name) => !benchmarks.includes(name))
  if (unknown.length > 0) {
    throw new ToolError(`No benchmark ${unknown.join(', ')}: there are ${benchmarks.join(', ')}.`)
  }
  const failed = []
  for (const name of named.length > 0 ? named : benchmarks) {
    say(`\n${name}`)
    const { code } = await run(node, [`bench/${name}${suffix}`], { env, show: true })
    if (code !== 0) failed.push(name)
  }
  if (failed.length > 0) throw new ToolError(`Failed: ${failed.join(', ')}`)
  return 0
})
