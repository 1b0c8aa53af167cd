import { defineConfig } from 'drizzle-kit'

export default defineConfig({
  dialect: 'postgresql',
  casing: 'snake_case',
  schema: ['./src/modules/*/*.schema.ts', './src/engines/*/*/*.schema.ts'],
  out: './src/db/migrations',
})
