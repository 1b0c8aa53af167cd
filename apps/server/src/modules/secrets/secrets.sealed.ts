import { sealedColumn } from '../../sealing/sealed-columns.ts'
import { secrets } from './secrets.schema.ts'

export const values = sealedColumn('secrets.value', secrets, {
  id: 'name',
  sealed: 'sealedValue',
  plain: 'value',
})

export const sealed = [values]
