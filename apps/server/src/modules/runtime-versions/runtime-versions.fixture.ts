import { type ArchiveFiles, zipOf } from '../../testing/archives.ts'

/** The least that counts as WordPress of a version, with its SQLite integration. */
export const wordPressFiles = (version: string): ArchiveFiles => ({
  'wordpress/wp-settings.php': '<?php',
  'wordpress/wp-includes/version.php': `<?php\n$wp_version = '${version}';\n`,
  'wordpress/wp-content/plugins/sqlite-database-integration/wp-includes/sqlite/db.php': '<?php',
})

export const zipBlob = (files: ArchiveFiles) =>
  new Blob([new Uint8Array(zipOf(files))], { type: 'application/zip' })

export const wordPressArchive = (version = '6.1.9') => zipBlob(wordPressFiles(version))
