import { parentPort, workerData } from 'node:worker_threads'

// Before the import, because some modules check for a browser when they load.
Object.assign(globalThis, { window: globalThis })
const { prerender } = await import(workerData)
parentPort?.postMessage(await prerender())
