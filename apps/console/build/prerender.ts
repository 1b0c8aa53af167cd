import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { build } from 'vite'
import type { Prerendered } from '../src/prerender.tsx'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Runs the built module in a thread, whose globals simulate a browser. */
function runPrerender(module: string) {
  const worker = new Worker(new URL('prerender.worker.ts', import.meta.url), {
    workerData: pathToFileURL(module).href,
  })
  return new Promise<Prerendered>((resolve, reject) => {
    worker.once('message', (prerendered) => {
      resolve(prerendered)
      // React's scheduler would keep the thread alive.
      void worker.terminate()
    })
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('Prerendering ended without its pages.')))
  })
}

/**
 * Builds the console's sources for Node and prerenders them. Returns the pages and the requests of
 * each screen. Throws the error of a screen that cannot be rendered.
 */
export async function prerenderPages() {
  const outDir = await mkdtemp(join(tmpdir(), 'slipway-prerender-'))
  try {
    await build({
      root,
      configFile: false,
      logLevel: 'error',
      publicDir: false,
      // Resolves packages as for the browser, so that both render the same tree.
      ssr: { noExternal: true, resolve: { conditions: ['browser', 'module', 'import'] } },
      build: { ssr: 'src/prerender.tsx', outDir, minify: false, target: 'esnext' },
    })
    return await runPrerender(join(outDir, 'prerender.js'))
  } finally {
    await rm(outDir, { recursive: true, force: true })
  }
}
