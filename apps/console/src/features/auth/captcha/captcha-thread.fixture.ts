import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { CaptchaSolver } from './captcha-search.ts'

/** The browser worker's globals on a Node thread, then the worker itself. */
const script = `
  const { parentPort } = require('node:worker_threads')
  globalThis.addEventListener = (type, listener) => parentPort.on(type, (data) => listener({ data }))
  globalThis.postMessage = (result) => parentPort.postMessage(result)
  import(${JSON.stringify(new URL('./captcha.worker.ts', import.meta.url).href)})
`

/** Runs the widget's worker on a real thread; `ended` resolves when the thread exits. */
export function startThread(): CaptchaSolver & { ended: Promise<unknown> } {
  const thread = new Worker(script, { eval: true })
  return {
    solve: async (part) => {
      thread.postMessage(part)
      const [result] = await once(thread, 'message')
      return result
    },
    stop: () => void thread.terminate(),
    ended: new Promise((resolve) => thread.once('exit', resolve)),
  }
}
