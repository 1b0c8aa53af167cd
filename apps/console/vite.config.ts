import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { consolePages } from './build/console-pages.ts'
import { inlineScripts } from './build/inline-scripts.ts'

const server = process.env.SERVER_URL ?? 'http://localhost:3001'

export default defineConfig({
  plugins: [inlineScripts(), consolePages(), react(), tailwindcss()],
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
        // The bundler names a shared chunk after all screens that load it.
        chunkFileNames: ({ name }) =>
          `assets/${name.startsWith('shared~') ? 'shared' : '[name]'}-[hash].js`,
        codeSplitting: {
          groups: [
            { name: 'vendor', test: /node_modules/, tags: ['$initial'] },
            { name: 'index', tags: ['$initial'] },
            {
              name: 'shared',
              minShareCount: 2,
              entriesAware: true,
              entriesAwareMergeThreshold: 2500,
            },
          ],
        },
      },
    },
  },
})
