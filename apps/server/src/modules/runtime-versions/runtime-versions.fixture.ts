import { createHash } from 'node:crypto'
import type { ProjectId } from '@slipway/contract/projects'
import { eq } from 'drizzle-orm'
import type { Db } from '../../db/connect.ts'
import { type ArchiveFiles, zipOf } from '../../testing/archives.ts'
import type { World } from '../../testing/world.ts'
import { projects } from '../projects/projects.schema.ts'
import * as store from './runtime-versions.store.ts'

/** The fewest files that are accepted as a version of WordPress. */
export const wordPressFiles = (version: string): ArchiveFiles => ({
  'wordpress/wp-settings.php': '<?php',
  'wordpress/wp-includes/version.php': `<?php\n$wp_version = '${version}';\n`,
  'wordpress/wp-content/plugins/sqlite-database-integration/wp-includes/sqlite/db.php': '<?php',
  'wordpress/wp-content/themes/plain/style.css': '/* Theme Name: Plain */',
})

export const zipBlob = (files: ArchiveFiles) =>
  new Blob([new Uint8Array(zipOf(files))], { type: 'application/zip' })

export const wordPressArchive = (version = '6.1.9') => zipBlob(wordPressFiles(version))

/** Stores a version of WordPress whose files are not on the disk, and returns its artifact. */
export async function insertVersion({ ctx, clock }: World, version: string): Promise<string> {
  const artifact = createHash('sha256').update(version).digest('hex')
  const createdAt = clock.now()
  await ctx.write((tx) =>
    store.upsert(tx, { runtime: 'wordpress', version, artifact, archiveBytes: 1, createdAt }),
  )
  return artifact
}

export const setVersion = (db: Db, id: ProjectId, artifact: string) =>
  db.update(projects).set({ runtime: 'wordpress', artifact }).where(eq(projects.id, id))
