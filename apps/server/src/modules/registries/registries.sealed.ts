import { type SealedColumn, sealedColumn } from '../../sealing/sealed-columns.ts'
import { registries } from './registries.schema.ts'

export const passwordColumn = sealedColumn('registries.password', registries, {
  id: 'id',
  sealed: 'sealed',
})

export const sealed: SealedColumn[] = [passwordColumn]
