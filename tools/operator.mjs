import { join } from 'node:path'
import { root, run, runTool } from './command.mjs'
import { setUp } from './setup.mjs'

// `npm run operator -- tickets`: the command line that answers support tickets.
await runTool(async () => {
  const { node, env } = await setUp({ withConsole: false })
  const main = join(root, 'apps/operator/src/main.ts')
  const { code } = await run(node, [main, ...process.argv.slice(2)], { env, show: true })
  return code
})
