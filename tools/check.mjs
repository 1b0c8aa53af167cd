import { runChecks } from './checks.mjs'
import { runTool } from './command.mjs'
import { setUp } from './setup.mjs'

// `npm run check`: everything about the sources that a machine can check without running them.
await runTool(async () => {
  const tools = await setUp({ withConsole: false })
  return (await runChecks(tools)) === 0 ? 0 : 1
})
