import { join } from 'node:path'
import { root, run, runTool } from './command.mjs'
import { setUp } from './setup.mjs'

// `npm run pictures`: those of the README; with a folder, every screen in every state, for people to look at.
await runTool(async () => {
  const { node, env } = await setUp()
  const program = join(root, 'e2e/pictures/main.ts')
  const { code } = await run(node, [program, ...process.argv.slice(2)], { env, show: true })
  return code
})
