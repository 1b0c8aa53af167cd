import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join } from 'node:path'

// Types are taken out once per release instead of at each start of each site: that saves a site
// about 30 ms and 18 MB. Node then wants the imports to name the files as they are called now.
const relativeImport = /((?:from|import)\s*\(?\s*)(['"])(\.{1,2}\/[^'"]+)\.ts\2/g

const toJavaScript = (source: string): string =>
  stripTypeScriptTypes(source).replace(relativeImport, '$1$2$3.js$2')

const [source, target] = process.argv.slice(2)
if (!source || !target) throw new Error('pack-site.ts <site folder> <target folder>')

// Other users must be able to read the release, whatever the server's own umask is.
process.umask(0o022)

const names = await readdir(join(source, 'src'), { recursive: true })
for (const name of names) {
  if (!name.endsWith('.ts') || name.endsWith('.spec.ts')) continue
  const file = join(target, 'src', name.replace(/\.ts$/, '.js'))
  await mkdir(dirname(file), { recursive: true })
  const text = await readFile(join(source, 'src', name), 'utf8')
  await writeFile(file, toJavaScript(text))
}
// Last, because its presence says that the release is complete.
await copyFile(join(source, 'package.json'), join(target, 'package.json'))
