import { runTool } from './command.mjs'
import { becomeServer } from './server-process.mjs'

// `npm start`: makes everything ready, and becomes the server.
await runTool(() => becomeServer('apps/server/src/main.ts'))
