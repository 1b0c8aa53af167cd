// Compiles packages/phrases/messages/{locale}/*.json into typed functions, packages/phrases/src/paraglide.
// One file a domain and language: a new module brings its own, and this finds them. A browser takes the
// functions that its page needs; Node takes all of them in one file, which is read 0.3 s sooner than 900.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../packages/phrases/', import.meta.url))
const require = createRequire(join(root, 'package.json'))
const { compile } = await import(require.resolve('@inlang/paraglide-js'))
const { build } = await import(require.resolve('vite'))

const domains = readdirSync(join(root, 'messages/en')).filter((name) => name.endsWith('.json'))
mkdirSync(join(root, '.cache'), { recursive: true })
// A folder of its own, so that two at once do not mix what they write.
const work = mkdtempSync(join(root, '.cache/compile-'))
const project = join(work, 'project.inlang')
const compiled = join(work, 'paraglide')
mkdirSync(project)
writeFileSync(
  join(project, 'settings.json'),
  JSON.stringify({
    baseLocale: 'en',
    locales: ['en', 'tr'],
    // The plugin's usual address is a web page; offline the compiler would "succeed" with no message.
    modules: [require.resolve('@inlang/plugin-message-format')],
    'plugin.inlang.messageFormat': {
      pathPattern: domains.map((name) => `../../messages/{locale}/${name}`),
    },
  }),
)

await compile({
  project,
  outdir: compiled,
  // The order of the specification: the stored preference, the browser's language, English.
  strategy: ['localStorage', 'preferredLanguage', 'baseLocale'],
  localStorageKey: 'preferredLocale',
  outputStructure: 'message-modules',
  emitGitIgnore: false,
  emitPrettierIgnore: false,
  emitReadme: false,
})

const forNode = 'node.js'

// Only what changed is touched, each file at once: whoever watches or imports sees no half of it.
const target = join(root, 'src/paraglide')
const filesOf = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
const files = filesOf(compiled)
for (const file of files) {
  const [from, to] = [join(compiled, file), join(target, file)]
  if (existsSync(to) && readFileSync(to).equals(readFileSync(from))) continue
  mkdirSync(dirname(to), { recursive: true })
  renameSync(from, to)
}
if (existsSync(target)) {
  const current = new Set([...files, forNode])
  for (const file of filesOf(target))
    if (!current.has(file)) rmSync(join(target, file), { force: true })
}

await build({
  configFile: false,
  root,
  logLevel: 'warn',
  build: {
    ssr: 'src/index.ts',
    outDir: compiled,
    emptyOutDir: false,
    minify: false,
    rolldownOptions: { output: { entryFileNames: forNode } },
  },
})
renameSync(join(compiled, forNode), join(target, forNode))
rmSync(work, { recursive: true })
