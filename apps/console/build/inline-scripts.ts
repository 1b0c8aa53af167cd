import { fileURLToPath } from 'node:url'
import { build, type Plugin, type Rolldown } from 'vite'

const root = fileURLToPath(new URL('..', import.meta.url))

async function bundleScript(file: string) {
  const [{ output }] = (await build({
    root,
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    resolve: { conditions: ['browser', 'module', 'import'] },
    build: {
      write: false,
      target: 'es2023',
      modulePreload: false,
      lib: { entry: file, formats: ['iife'], name: 'inline' },
      rolldownOptions: { treeshake: { moduleSideEffects: false } },
    },
  })) as [Rolldown.RolldownOutput]
  return output[0].code.trim()
}

const inlineScript = /<script src="\/([^"]+)" data-inline><\/script>/g

/** Inlines the scripts that run before the bundle has loaded into the page. */
export const inlineScripts = (): Plugin => ({
  name: 'inline-scripts',
  transformIndexHtml: {
    order: 'pre',
    async handler(html) {
      const files = [...html.matchAll(inlineScript)].map(([, file = '']) => file)
      const scripts = new Map<string, string>()
      for (const file of files) scripts.set(file, await bundleScript(file))
      return html.replace(inlineScript, (_, file) => `<script>${scripts.get(file)}</script>`)
    },
  },
})
