import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { type Alias, defineConfig } from 'vite'
import { paintFirst } from './build/paint-first.ts'

/** What every page needs: one file compresses better than five, and outlives a change of the pages. */
const framework =
  /node_modules\/(react|react-dom|scheduler|use-sync-external-store|zod|@tanstack\/(react-router|router-core|history|store|react-store))\/|lucide-react\/dist\/esm\/(?!icons)|preload-helper|rolldown\/runtime/

/**
 * What every page stands in, and the login page with all that it needs: whoever comes for the first time comes to it, so its code is
 * there when the router asks, without another round trip.
 */
const base =
  /src\/(search-parameters\.ts|(features\/auth\/login\.page|shell\/layout\/(root|auth)\.layout|shell\/errors\/crash)\.tsx|shell\/session\/login-callback\.ts)/

/** What pages of both kinds show: whoever signs up is spared the rest of the app. */
const both =
  /src\/(api\/sign-out|forms\/use-action)\.ts|contract\/src\/field-schemas\.ts|lucide-react\/dist\/esm\/icons\/(check|x)\.|paraglide\/messages\/(shell_(new_tab|home|cancel|logout|retry)|projects_missing)\./

/**
 * What every page of whoever is signed in stands in, and what the screens of several areas show: a slow
 * phone waits longer for one more file than for three more kilobytes.
 */
const app =
  /src\/(shell\/(layout\/(app|teams)\.layout|page\/(copy-value|page-(frame|heading)|short-id)|time\/time)|api\/prefetch|forms\/editable-field|ui\/(badge|card|copy-button|detail-list|on-demand|section|(dialog\/(confirm-dialog|use-dialog)|field\/(inline-edit|select-field|text-area-field)|table\/table)))\.tsx?|lucide-react\/dist\/esm\/icons\/(plus|pencil|ellipsis|hourglass|circle-dot|life-buoy|trash(-2)?|arrow-down)\.|paraglide\/messages\/account_profile\./

/** What stands above the tables of every area, but for the words of one alone: one file, or each word would be one. */
const lists =
  /src\/(shell\/lists\/(list-table|list-toolbar|list-lengths|table-view)|ui\/(field\/search-field|table\/(filter-select|table-(search|toolbar))))\.tsx?|paraglide\/messages\/tables_(?!search_[^ci]|search_inv|all_[^s]|shown\.)/

/** An area behind the login, by its screens or by its phrases: what two of its screens need is one file. */
const area =
  /src\/features\/(?!auth\/|legal\/)(\w+)\/|paraglide\/messages\/(projects|teams|support|account)_|paraglide\/messages\/(?:cards|invoices|payments_screen)_/

const server = process.env.SERVER_URL ?? 'http://localhost:3001'

const alias: Alias[] = [
  // The phrases', without what only other set-ups of it need.
  {
    find: /^(\.\.|\.\/paraglide)\/runtime\.js$/,
    replacement: fileURLToPath(
      new URL('../../packages/phrases/src/browser-runtime.ts', import.meta.url),
    ),
  },
  // What they count with, likewise.
  {
    find: /^\.\.\/registry\.js$/,
    replacement: fileURLToPath(
      new URL('../../packages/phrases/src/browser-registry.ts', import.meta.url),
    ),
  },
  // The router is given ours.
  {
    find: /^\.\/searchParams\.js$/,
    replacement: fileURLToPath(new URL('./src/default-search-parameters.ts', import.meta.url)),
  },
  // React has it since 18; the package is a stand-in for older ones.
  {
    find: /^use-sync-external-store\/shim\/with-selector$/,
    replacement: fileURLToPath(new URL('./src/store-selection.ts', import.meta.url)),
  },
  { find: /^use-sync-external-store\/shim$/, replacement: 'react' },
  {
    find: /^\.\.\/createLucideIcon\.mjs$/,
    replacement: fileURLToPath(new URL('./src/ui/lucide-icon.tsx', import.meta.url)),
  },
]

export default defineConfig({
  plugins: [paintFirst(alias), react(), tailwindcss()],
  resolve: { alias },
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
            { name: 'both', test: both },
            { name: 'app', test: app },
            { name: 'lists', test: lists },
            {
              name: (id) => {
                const found = id.match(area)
                return found && (found.slice(1).find(Boolean) ?? 'billing')
              },
              test: area,
              minShareCount: 2,
            },
          ],
        },
      },
    },
  },
})
