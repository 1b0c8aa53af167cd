import { parentPort, workerData } from 'node:worker_threads'

// Before the screens are loaded: some ask whether they are in a browser.
Object.assign(globalThis, { window: globalThis })
const { prerender } = await import(workerData)
parentPort?.postMessage(await prerender())
