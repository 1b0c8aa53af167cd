import { type SealedColumn, sealedColumn } from '../../sealing/sealed-columns.ts'
import { siteBackups } from './site-backups.schema.ts'

export const keyColumn = sealedColumn('site_backups.key', siteBackups, {
  id: 'id',
  sealed: 'sealed',
})

export const sealed: SealedColumn[] = [keyColumn]
