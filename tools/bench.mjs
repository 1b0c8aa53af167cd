import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { root, run, runTool, say, ToolError } from './command.mjs'
import { setUp } from './setup.mjs'

// `npm run bench [-- name ...]`: the benchmarks one after the other, or those that are named.
await runTool(async () => {
  const { node, env } = await setUp()
  const ending = '.bench.ts'
  const all = readdirSync(join(root, 'bench'))
    .filter((file) => file.endsWith(ending))
    .map((file) => file.slice(0, -ending.length))
    .sort()
  const wanted = process.argv.slice(2)
  const unknown = wanted.filter((name) => !all.includes(name))
  if (unknown.length > 0) {
    throw new ToolError(`No benchmark ${unknown.join(', ')}: there are ${all.join(', ')}.`)
  }
  const failed = []
  for (const name of wanted.length > 0 ? wanted : all) {
    say(`\n${name}`)
    const { code } = await run(node, [join(root, 'bench', `${name}${ending}`)], { env, show: true })
    if (code !== 0) failed.push(name)
  }
  if (failed.length > 0) throw new ToolError(`Failed: ${failed.join(', ')}`)
  return 0
})
