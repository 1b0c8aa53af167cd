import { join } from 'node:path'
import { root } from '../root.ts'

// The bundles: from its sources a server takes twice the processor time to start.

/** The program of `npm start`. */
export const serverProgram = join(root, 'apps/server/dist/main.js')

/** The program of `npm run demo`. */
export const demoProgram = join(root, 'apps/server/dist/demo.js')
