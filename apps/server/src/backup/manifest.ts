import { z } from 'zod'

/** The format of the archive. A change that older code cannot read raises it. */
export const archiveFormat = 1

export const manifestPath = 'manifest.json'

/** The archive's last entry: its contents, and the state of its database. */
export const manifest = z.object({
  format: z.literal(archiveFormat),
  /** The version of Slipway that made it. */
  version: z.string(),
  createdAt: z.string(),
  postgresVersion: z.string(),
  /** The applied migrations, in order. */
  migrations: z.array(z.object({ hash: z.string(), createdAt: z.number() })),
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()), rows: z.number() })),
  sequences: z.array(z.object({ name: z.string(), value: z.string() })),
  jobs: z.number(),
  files: z.number(),
  /** The digest of every entry before it: headers and contents. */
  sha256: z.string(),
})

export type Manifest = z.infer<typeof manifest>
