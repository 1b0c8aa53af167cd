import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const server = process.env.SERVER_URL ?? 'http://localhost:3001'

export default defineConfig({
  plugins: [react(), tailwindcss()],
  server: {
    port: Number(process.env.PORT ?? 3000),
    strictPort: true,
    proxy: {
      '/api': { target: server, ws: true },
      '/mailbox': server,
      '/healthz': server,
      '/readyz': server,
      '/.well-known': server,
    },
  },
  build: {
    outDir: process.env.BUILD_DIR ?? 'dist',
    emptyOutDir: true,
    target: 'es2023',
    // A `data:` address would need a hole in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
})
