import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { consolePages } from './build/console-pages.ts'
import { withoutEndpointSummaries } from './build/endpoint-summaries.ts'
import { inlineScripts } from './build/inline-scripts.ts'

const server = process.env.SERVER_URL ?? 'http://localhost:3001'

export default defineConfig({
  plugins: [withoutEndpointSummaries(), inlineScripts(), consolePages(), react(), tailwindcss()],
  server: {
    port: Number(process.env.PORT ?? 3000),
    strictPort: true,
    proxy: {
      '/api': { target: server, ws: true },
      '/mailbox': server,
      '/pictures': server,
      // A plain string would set `changeOrigin`, but the stand-in builds its URLs from the host.
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
    // One style sheet for all screens: the part of one screen is not worth a request.
    cssCodeSplit: false,
    // The content security policy forbids `data:` URLs.
    assetsInlineLimit: 0,
    // The page preloads the chunks of its screen (`load-bundle.ts`), and the others when idle.
    modulePreload: false,
    rolldownOptions: {
      output: {
        // The bundler names a shared chunk after all screens that load it.
        chunkFileNames: ({ name }) =>
          `assets/${name.startsWith('shared~') ? 'shared' : '[name]'}-[hash].js`,
        codeSplitting: {
          groups: [
            // Half of the code of the first screen: as a file, it loads in parallel with the rest.
            {
              name: 'react',
              test: /node_modules\/(react|react-dom|scheduler)\//,
              tags: ['$initial'],
            },
            { name: 'vendor', test: /node_modules/, tags: ['$initial'] },
            { name: 'index', tags: ['$initial'] },
            // Large, and for long lists alone: merged with another chunk, every list would load it.
            { name: 'virtual', test: /node_modules\/@tanstack\/(virtual-core|react-virtual)\// },
            // Icons import nothing of ours: merged with a screen's code, they would import it.
            { name: 'icons', test: /node_modules\/lucide-react\//, minShareCount: 2 },
            // Each file costs a round trip over HTTP/1.1, so the code that many screens load is
            // one file, and small files are merged.
            { name: 'common', minShareCount: 10 },
            {
              name: 'shared',
              minShareCount: 2,
              entriesAware: true,
              entriesAwareMergeThreshold: 1600,
            },
          ],
        },
      },
    },
  },
})
