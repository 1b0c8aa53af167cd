import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { defineConfig } from 'rolldown'

/** A line that names the package file whose code follows. */
const packageComment = /^\/\/ \S+\/node_modules\/\S+$/

/**
 * Ends the mapping of our sources where the code of a package begins: its lines would otherwise
 * belong to the source before it. The segment "A" maps to no source.
 */
function unmapPackages(mapFile: string) {
  const map = JSON.parse(readFileSync(mapFile, 'utf8')) as { mappings: string }
  const segments = map.mappings.split(';')
  const lines = readFileSync(mapFile.slice(0, -'.map'.length), 'utf8').split('\n')
  const mappings = lines
    .map((line, index) => (packageComment.test(line) ? 'A' : (segments[index] ?? '')))
    .join(';')
  writeFileSync(mapFile, JSON.stringify({ ...map, mappings }))
}

// Bundles the server and its packages into a few files: Node starts faster and needs less memory
// than with a thousand files (decision 35). `npm run dev` and unit tests run the
// sources, tests of whole servers the bundle.
export default defineConfig({
  cwd: import.meta.dirname,
  input: {
    main: 'src/main.ts',
    demo: 'src/demo/main.ts',
    // Entry points of processes and threads.
    'folder-size.worker': 'src/engines/hosting/local/files/folder-size.worker.ts',
    'invoices-pdf.worker': 'src/modules/invoices-pdf/invoices-pdf.worker.ts',
    'unpack-archive.process': 'src/artifacts/unpack-archive.process.ts',
  },
  platform: 'node',
  // Packages with native code, or that read their files at run time.
  external: ['@node-rs/argon2', 'iyzipay', 'pdfmake'],
  checks: {
    // A dependency of koa calls `eval` with a constant text.
    eval: false,
  },
  output: {
    dir: 'dist',
    cleanDir: true,
    // No subfolders: `src/root.ts` and the callers of the entry points above depend
    // on it.
    chunkFileNames: '[name].js',
    sourcemap: true,
    sourcemapExcludeSources: true,
  },
  plugins: [
    {
      // Stack traces name the lines of our sources only: Node keeps all source maps in memory.
      name: 'no-source-maps-of-packages',
      transform: {
        filter: { id: /\/node_modules\// },
        handler: (code) => ({ code, map: { mappings: '' } }),
      },
      writeBundle({ dir = '' }) {
        const folder = resolve(import.meta.dirname, dir)
        for (const file of readdirSync(folder).filter((name) => name.endsWith('.js.map')))
          unmapPackages(join(folder, file))
      },
    },
  ],
})
