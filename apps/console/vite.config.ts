import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** What every page needs: one file compresses better than five, and outlives a change of the pages. */
const framework =
  /node_modules\/(react|react-dom|scheduler|use-sync-external-store|zod|@tanstack\/(react-router|router-core|history|store|react-store))\/|lucide-react\/dist\/esm\/(?!icons)|preload-helper/

/**
 * What every page stands in, and the login page with all that it needs: whoever comes for the first time comes to it, so its code is
 * there when the router asks, without another round trip.
 */
const base = /src\/(features\/auth\/login\.page|shell\/(root|auth)\.layout|shell\/crash)\.tsx/

/** What every page of whoever is signed in stands in. */
const app = /src\/(shell\/(app|teams)\.layout\.tsx|api\/prefetch\.ts)/

const server = process.env.SERVER_URL ?? 'http://localhost:3001'

/** Puts into the page what can be shown before the program has come. */
const paintFirst: Plugin = {
  name: 'paint-first',
  transformIndexHtml: {
    order: 'pre',
    async handler(html) {
      const { firstPaint } = await import('./src/first-paint.tsx')
      return html.replace('<!--first-paint-->', firstPaint())
    },
  },
}

/**
 * What is painted first waits for nothing but the page: the style sheet stands in it, and the program,
 * of which the first paint has no need, is asked for after it. A page that nobody sees is never painted:
 * there the program is asked for at once.
 */
const paintBeforeProgram: Plugin = {
  name: 'paint-before-program',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler(html, { bundle = {} }) {
      const take = (page: string, tag: RegExp) => {
        const found = [...page.matchAll(tag)].map(([, address]) => address)
        if (found.length === 0) throw new Error(`index.html has nothing like ${tag}.`)
        return { page: page.replace(tag, ''), found }
      }
      const styled = take(html, /\s*<link rel="stylesheet"[^>]* href="\/([^"]+)">/g)
      const program = take(styled.page, /\s*<script type="module"[^>]* src="([^"]+)"><\/script>/g)
      const parts = take(program.page, /\s*<link rel="modulepreload"[^>]* href="([^"]+)">/g)

      const sheets = styled.found.map((name = '') => {
        const sheet = bundle[name]
        if (sheet?.type !== 'asset') throw new Error(`The build has no ${name}.`)
        delete bundle[name]
        return `<style>${String(sheet.source).trim()}</style>`
      })
      const script = `<script>
      ;(() => {
        const run = () => {
          for (const href of ${JSON.stringify(parts.found)})
            document.head.append(
              Object.assign(document.createElement('link'), { rel: 'modulepreload', href }),
            )
          import('${program.found[0]}')
        }
        if (document.hidden) run()
        else requestAnimationFrame(() => setTimeout(run))
      })()
    </script>`
      return parts.page.replace('</head>', () => `  ${sheets.join('')}\n    ${script}\n  </head>`)
    },
  },
}

export default defineConfig({
  plugins: [paintFirst, paintBeforeProgram, react(), tailwindcss()],
  resolve: {
    alias: [
      // React has it since 18; the package is a stand-in for older ones.
      { find: /^use-sync-external-store\/shim$/, replacement: 'react' },
      {
        find: /^\.\.\/createLucideIcon\.mjs$/,
        replacement: fileURLToPath(new URL('./src/ui/lucide-icon.tsx', import.meta.url)),
      },
    ],
  },
  server: {
    port: Number(process.env.PORT ?? 3000),
    strictPort: true,
    proxy: {
      '/api': { target: server, ws: true },
      '/mailbox': server,
      // Not the short form, which changes the host: the stand-in makes its addresses of it.
      '/stand-in': { target: server },
      '/healthz': server,
      '/readyz': server,
      '/.well-known': server,
    },
  },
  build: {
    outDir: process.env.BUILD_DIR ?? 'dist',
    emptyOutDir: true,
    target: 'es2023',
    // One sheet for all screens: it is small, and what a screen adds to it is smaller than a request.
    cssCodeSplit: false,
    // A `data:` address would need a hole in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'framework', test: framework },
            { name: 'base', test: base },
            { name: 'app', test: app },
          ],
        },
      },
    },
  },
})
