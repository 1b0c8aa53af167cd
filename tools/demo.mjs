import { runTool } from './command.mjs'
import { becomeServer } from './server-process.mjs'

// `npm run demo`: the same on a data folder of its own, which is filled with an example first.
await runTool(() => becomeServer('apps/server/src/demo/main.ts'))
