/** The folder or prefix of the backups of sites in `BACKUP_URL`, or in the data folder. */
export const siteBackupFolder = 'site-backups'
