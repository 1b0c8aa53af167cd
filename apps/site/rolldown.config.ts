import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'rolldown'

/** The folder of a module's package. */
const packageFolder = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/

/** The licenses of the packages in the bundle, which each ask for a copy of theirs. */
function licensesOf(modules: Iterable<string>) {
  const folders = new Set([...modules].flatMap((id) => packageFolder.exec(id)?.[0] ?? []))
  return [...folders].sort().flatMap((folder) => {
    const name = folder.slice(folder.lastIndexOf('/node_modules/') + '/node_modules/'.length)
    const files = readdirSync(folder).filter((file) => /^licen[cs]e/i.test(file))
    return files.map((file) => `${name}\n\n${readFileSync(join(folder, file), 'utf8')}`)
  })
}

// Bundles the site with its packages, and the script of its editor: a site starts with the first
// visit after its sleep, and most of its start was the loading of sixty files (decision 104).
export default defineConfig({
  cwd: import.meta.dirname,
  input: { main: 'src/main.ts', 'browser/main': 'src/browser/main.ts' },
  platform: 'node',
  output: { dir: 'dist', cleanDir: true, chunkFileNames: '[name].js' },
  plugins: [
    {
      name: 'licenses',
      generateBundle() {
        const source = licensesOf(this.getModuleIds()).join('\n')
        this.emitFile({ type: 'asset', fileName: 'licenses.txt', source })
      },
    },
  ],
})
