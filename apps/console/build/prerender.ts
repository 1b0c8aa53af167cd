import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { type Alias, build } from 'vite'
import type { PrerenderedPage } from '../src/prerender.tsx'

const root = fileURLToPath(new URL('..', import.meta.url))

/** In a thread of its own, whose globals the screens take for those of a browser from the start. */
function runPrerender(file: string) {
  const source = `
    const { parentPort, workerData } = require('node:worker_threads')
    globalThis.window = globalThis
    import(workerData).then(async ({ prerender }) => parentPort.postMessage(await prerender()))`
  const worker = new Worker(source, { eval: true, workerData: pathToFileURL(file).href })
  return new Promise<PrerenderedPage[]>((resolve, reject) => {
    worker.once('message', (pages) => {
      resolve(pages)
      // React's channel for its work would keep it alive.
      void worker.terminate()
    })
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('Prerendering ended without its pages.')))
  })
}

/**
 * The pages as React renders them first, from the console's own sources built for Node. With what the
 * browser's build resolves to, so that both render the same tree. Throws what a screen throws.
 */
export async function prerenderPages(alias: Alias[]) {
  const outDir = await mkdtemp(join(tmpdir(), 'slipway-prerender-'))
  try {
    await build({
      root,
      configFile: false,
      logLevel: 'error',
      publicDir: false,
      resolve: { alias },
      ssr: { noExternal: true, resolve: { conditions: ['browser', 'module', 'import'] } },
      build: { ssr: 'src/prerender.tsx', outDir, minify: false, target: 'esnext' },
    })
    return await runPrerender(join(outDir, 'prerender.js'))
  } finally {
    await rm(outDir, { recursive: true, force: true })
  }
}
